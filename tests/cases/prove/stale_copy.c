/* What is observed late: simplified steps must not look feasible, nor hide the error. */
#include <pthread.h>
#include <assert.h>
int x, y;
void *one(void *arg)
{
    x = 1;
    y = x;
    assert(y == 1);
    return 0;
}
void *two(void *arg)
{
    x = 2;
    return 0;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    return 0;
}
