/* atomic_init is no atomic access: it races with an atomic load. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *reads(void *arg) { int seen = atomic_load(&x); return 0; }
int main(void)
{
    pthread_t t;
    atomic_store(&x, 1);
    pthread_create(&t, 0, reads, 0);
    atomic_init(&x, 2);
    pthread_join(t, 0);
    return 0;
}
