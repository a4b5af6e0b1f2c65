// Another old value than the new one does not mean that it worked.
#include <assert.h>
#include <pthread.h>
static int x, won;
static int cas(int *p, int old, int new)
{
    int was;
    __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(was), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return was;
}
static int swapped(int *p, int old, int new)
{
    unsigned char ok;
    __asm__ volatile("lock cmpxchgl %3, %1\n\tsete %0"
                     : "=q"(ok), "+m"(*p), "+a"(old) : "r"(new) : "memory", "cc");
    return ok;
}
static void *one(void *arg)
{
    if (swapped(&x, 0, 1))
        won++;
    return 0;
}
static void *two(void *arg)
{
    if (cas(&x, 0, 2) != 2)
        won++;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(won == 1);
    return 0;
}
