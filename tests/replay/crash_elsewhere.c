// Thread 2 divides by zero whenever it runs; what the trace shows is main's use of a freed block.
#include <pthread.h>
#include <stdlib.h>

static void *crasher(void *arg)
{
    int zero = 0;
    return (void *)(long)(1 / zero);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, crasher, 0);
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    free(p);
    return *p;
}
