#include <pthread.h>

static void *work(void *place)
{
    *(int *)place = 1;
    return 0;
}

/* The thread may run on while the process ends, when `result` has ended already (C11 5.1.2.2.3). */
int main(void)
{
    pthread_t t;
    int result = 0;
    pthread_create(&t, 0, work, &result);
    return 0;
}
