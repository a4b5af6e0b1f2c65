// atomic_init does not avoid data races, even with an atomic load (C11, 7.17.2.2).
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
    pthread_create(&t, 0, reader, 0);
    atomic_init(&x, 0);
    pthread_join(t, 0);
    return 0;
}
