/* An exchange that a store overwrites: nobody has learnt of it. The two never stand side by side. */
#include <pthread.h>
static int p, y;
static void *exchanges(void *arg)
{
    __sync_bool_compare_and_swap(&p, 0, 1);
    return 0;
}
static void *stores(void *arg)
{
    __atomic_store_n(&p, 2, __ATOMIC_SEQ_CST);
    y = p;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, exchanges, 0);
    pthread_create(&b, 0, stores, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
