// No bound on threads, and nobody looks in time.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level = 2147483630;
void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int now = level;
    if (now < 2147483645)
        level = now + 10;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
