/* A leaf that is covered may owe what its cover has skipped. */
#include <pthread.h>
#include <assert.h>
int x, z;
void *zero(void *arg)
{
    z = 1;
    if (x == 1)
        return 0;
    assert(x != 1);
    return 0;
}
void *one(void *arg)
{
    if (z != 2)
        x = x + 1;
    return 0;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, zero, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    return 0;
}
