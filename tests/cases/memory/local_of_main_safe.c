#include <pthread.h>

static void *work(void *place)
{
    *(int *)place = 1;
    return 0;
}

/* The thread has ended before `result` does. */
int main(void)
{
    pthread_t t;
    int result = 0;
    pthread_create(&t, 0, work, &result);
    pthread_join(t, 0);
    return 0;
}
