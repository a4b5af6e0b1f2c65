/* A barrier for the compiler orders nothing. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

int data, flag;

void *p0(void *unused)
{
    WRITE_ONCE(data, 1);
    barrier();
    WRITE_ONCE(flag, 1);
    return 0;
}

void *p1(void *unused)
{
    int f = READ_ONCE(flag);
    barrier();
    int d = READ_ONCE(data);
    assert(!f || d);
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
