/* A thread that waits for a value that comes and goes must not hide what else may happen. */
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);
int x, y;
void *zero(void *arg)
{
    y = 2;
    x = y;
    return 0;
}
void *one(void *arg)
{
    __VERIFIER_assume(x == 1);
    return 0;
}
void *two(void *arg)
{
    assert(x != 2);
    return 0;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, one, 0);
    pthread_create(&c, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
