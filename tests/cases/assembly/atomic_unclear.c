// What an atomic block does is known only when it is over.
#include <assert.h>
#include <pthread.h>
int x;
void __VERIFIER_atomic_step(void) {
    __asm__("incl %0" : "+m"(x));
}
void *f(void *arg) {
    __VERIFIER_atomic_step();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
