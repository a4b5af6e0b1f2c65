#include <pthread.h>
#include <stdlib.h>

static void *work(void *place)
{
    *(int *)place = 1;
    return 0;
}

/* `exit` ends the process and no function. */
int main(void)
{
    pthread_t t;
    int result = 0;
    pthread_create(&t, 0, work, &result);
    exit(0);
}
