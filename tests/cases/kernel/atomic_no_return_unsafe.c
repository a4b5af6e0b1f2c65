/* One that does not orders nothing. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

atomic_t x, y;
int r0, r1;

void *p0(void *unused)
{
    atomic_inc(&x);
    r0 = atomic_read(&y);
    return 0;
}

void *p1(void *unused)
{
    atomic_inc(&y);
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
