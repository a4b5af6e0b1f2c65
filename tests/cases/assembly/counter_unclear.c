// Perhaps the template is one indivisible step, perhaps not.
#include <pthread.h>
int x;
void *f(void *arg) {
    __asm__("lock; btsl $0, %0" : "+m"(x));
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
    return 0;
}
