// Initialised before anybody else can see it.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *reader(void *arg)
{
    (void)atomic_load(&x);
    return arg;
}
int main(void)
{
    pthread_t t;
    atomic_init(&x, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
