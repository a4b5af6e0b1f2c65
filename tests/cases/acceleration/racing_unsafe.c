/* Rounds that do nothing else still read what another thread writes. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int n, hay[8], hits;
static void *search(void *arg) {
    for (int i = 0; i < n; i++)
        if (hay[i & 7] == 1)
            return arg;
    return 0;
}
int main(void) {
    pthread_t a;
    n = __VERIFIER_nondet_int();
    pthread_create(&a, 0, search, 0);
    hay[5] = 2;
    pthread_join(a, 0);
    return hits;
}
