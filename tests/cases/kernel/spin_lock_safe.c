/* A counter under a spin lock. */
#include <assert.h>
#include <linux/lkmm.h>
#include <pthread.h>

DEFINE_SPINLOCK(lock);
int count;

void *p0(void *unused)
{
    spin_lock(&lock);
    int n = count;
    count = n + 1;
    spin_unlock(&lock);
    return 0;
}

void *p1(void *unused)
{
    spin_lock(&lock);
    int n = count;
    count = n + 1;
    spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(count == 2);
    return 0;
}
