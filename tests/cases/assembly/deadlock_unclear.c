// Whether the second lock is taken is for the assembly to say.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    int n;
    pthread_mutex_lock(&m);
    __asm__("rdtsc" : "=a"(n) : : "edx");
    if (n == 7)
        pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
