// A block that is not modelled to its end has no accesses that could race.
#include <pthread.h>
int x;
void __VERIFIER_atomic_step(void) {
    int n;
    x = 1;
    __asm__("rdtsc" : "=a"(n));
}
void *f(void *arg) {
    __VERIFIER_atomic_step();
    return 0;
}
void *g(void *arg) {
    __VERIFIER_atomic_step();
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
