/* Without a grace period the reader may see the second write only. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

int x, y;

void *p0(void *unused)
{
    WRITE_ONCE(x, 1);
    WRITE_ONCE(y, 1);
    return 0;
}

void *p1(void *unused)
{
    rcu_read_lock();
    int b = READ_ONCE(y);
    int a = READ_ONCE(x);
    rcu_read_unlock();
    assert(!(b == 1 && a == 0));
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
