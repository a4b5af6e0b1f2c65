/* A write inside of an arm waits for the condition. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

int x, y, r0, r1;

void *p0(void *unused)
{
    int r = READ_ONCE(x);
    if (r) {
        WRITE_ONCE(y, 1);
    }
    r0 = r;
    return 0;
}

void *p1(void *unused)
{
    int r = READ_ONCE(y);
    if (r) {
        WRITE_ONCE(x, 1);
    }
    r1 = r;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(!(r0 && r1));
    return 0;
}
