// The lock prefix makes one step of it.
#include <assert.h>
#include <pthread.h>
static int x;
static int add(int *p, int n)
{
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory", "cc");
    return n;
}
static void *worker(void *arg)
{
    __asm__ volatile("lock; incl %0" : "+m"(x));
    add(&x, 2);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(add(&x, 0) == 6);
    return 0;
}
