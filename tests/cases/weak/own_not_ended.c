/* A variable of a thread that has not ended, and one of another thread. */
#include <assert.h>
#include <pthread.h>

_Thread_local int own;
int *left;

void *thread(void *none)
{
    left = &own;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    left = &own;
    *left = 1;
    assert(own == 1);
    return 0;
}
