#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* One thread counts up as often as the other one counts down: x == i - j, and i == n at the end. */
unsigned n, x;
void *up(void *arg)
{
    for (unsigned i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        x++;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *down(void *arg)
{
    for (unsigned j = 0; j < n; j++) {
        __VERIFIER_atomic_begin();
        x--;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    n = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, down, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 0);
    return 0;
}
