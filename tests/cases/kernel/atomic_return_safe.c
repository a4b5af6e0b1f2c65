/* An operation that gives its result is a full barrier. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

atomic_t x, y;
int r0, r1;

void *p0(void *unused)
{
    atomic_inc_return(&x);
    r0 = atomic_read(&y);
    return 0;
}

void *p1(void *unused)
{
    atomic_inc_return(&y);
    r1 = atomic_read(&x);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(r0 || r1);
    return 0;
}
