/* Full barriers forbid store buffering. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

int x, y, r0, r1;

void *p0(void *unused)
{
    WRITE_ONCE(x, 1);
    smp_mb();
    r0 = READ_ONCE(y);
    return 0;
}

void *p1(void *unused)
{
    WRITE_ONCE(y, 1);
    smp_mb();
    r1 = READ_ONCE(x);
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
