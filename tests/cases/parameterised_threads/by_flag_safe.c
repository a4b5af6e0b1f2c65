#include <pthread.h>
#include <stdatomic.h>
/* What a flag publishes is read by any number of threads. */
atomic_int ready;
int data;
void *writer(void *arg)
{
    data = 5;
    ready = 1;
    return 0;
}
void *reader(void *arg)
{
    while (!ready)
        ;
    return data == 5 ? arg : 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    for (;;)
        pthread_create(&thread, 0, reader, 0);
}
