#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int a[3];
static void *one(void *arg) { a[__VERIFIER_nondet_bool()] = 1; return 0; }
static void *two(void *arg) { a[ 2 ] = 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
