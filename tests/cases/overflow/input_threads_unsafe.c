#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int sum;
static void *adds(void *arg) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 1073741824)
        sum = sum + n;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
