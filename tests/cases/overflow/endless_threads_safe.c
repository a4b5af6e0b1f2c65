// No bound on threads: the level stays low, since everybody looks first.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;
void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int now = level;
    if (now < 1000)
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
