#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
/* Two threads add up to an input, and one is not waited for. */
unsigned n, c;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *adder(void *arg)
{
    for (unsigned k = 0; k < n; k++) {
        pthread_mutex_lock(&m);
        c++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    n = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, adder, 0);
    pthread_create(&b, 0, adder, 0);
    pthread_join(a, 0);

    assert(c == 2 * n);
    return 0;
}
