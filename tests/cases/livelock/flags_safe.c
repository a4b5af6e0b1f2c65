/* A sequence of flags in the right order. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b, c;

void *left(void *arg)
{
    while (!a)
        ;
    b = 1;
    while (!c)
        ;
    return 0;
}

void *right(void *arg)
{
    while (!b)
        ;
    c = 1;
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, left, 0);
    pthread_create(&t, 0, right, 0);
    a = 1;
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
