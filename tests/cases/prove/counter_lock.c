#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* A counter and its copy under a lock, for ever. */
pthread_mutex_t m;
unsigned x, y;
void *one(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        x++;
        y++;
        pthread_mutex_unlock(&m);
    }
}
void *two(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        assert(x == y);
        pthread_mutex_unlock(&m);
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
