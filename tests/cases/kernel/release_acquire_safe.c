/* A message by release and acquire, with plain data. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

int data, flag;

void *p0(void *unused)
{
    data = 1;
    smp_store_release(&flag, 1);
    return 0;
}

void *p1(void *unused)
{
    if (smp_load_acquire(&flag))
        assert(data == 1);
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
