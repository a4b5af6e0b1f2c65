/* A thread that goes around for ever must not hide the error of another one. */
#include <pthread.h>
#include <assert.h>
int a, b;
void *round(void *arg)
{
    while (1)
        a = 1 - a;
}
void *other(void *arg)
{
    b = 1;
    assert(b == 0);
    return 0;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, round, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    return 0;
}
