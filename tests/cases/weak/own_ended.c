/* A variable of a thread that has ended: written to through a pointer that it left behind. */
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
    *left = 1;
    assert(own == 0);
    return 0;
}
