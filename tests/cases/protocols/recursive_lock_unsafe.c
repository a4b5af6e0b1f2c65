/* A recursive lock lets its owner in again: behind the second lock is an error. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void) {}

pthread_mutex_t m;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    reach_error();
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &kind);
    for (int i = 0; i < 2; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
