/* What was announced is looked at while the other lock is held. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int announced, done;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&a);
    int seen = announced;
    pthread_mutex_lock(&d);
    done++;
    assert(done <= seen);
    pthread_mutex_unlock(&d);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    pthread_t id;
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&a);
        announced++;
        pthread_mutex_unlock(&a);
        pthread_create(&id, 0, worker, 0);
    }
    return 0;
}
