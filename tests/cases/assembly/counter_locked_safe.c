// Accesses of operands are plain accesses; a lock orders them.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    __asm__("incl %0" : "+m"(x));
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
    return 0;
}
