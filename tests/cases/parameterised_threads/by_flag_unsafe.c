#include <pthread.h>
#include <stdatomic.h>
/* The flag is set before what it publishes. */
atomic_int ready;
int data;
void *writer(void *arg)
{
    ready = 1;
    data = 5;
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
