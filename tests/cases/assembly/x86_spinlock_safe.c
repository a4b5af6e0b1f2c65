// A lock made of xchg.
#include <assert.h>
#include <pthread.h>
static volatile int lock;
static int x;
static int xchg(volatile int *p, int n)
{
    __asm__ volatile("xchgl %0, %1" : "=r"(n), "+m"(*p) : "0"(n) : "memory");
    return n;
}
static void *worker(void *arg)
{
    while (xchg(&lock, 1))
        __asm__ volatile("pause");
    x++;
    xchg(&lock, 0);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
