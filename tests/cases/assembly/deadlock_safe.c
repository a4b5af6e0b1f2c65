// Whatever the assembly says, the lock is free.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    int n;
    pthread_mutex_lock(&m);
    __asm__("rdtsc" : "=a"(n) : : "edx");
    pthread_mutex_unlock(&m);
    if (n == 7)
        pthread_mutex_lock(&m);
    return 0;
}
