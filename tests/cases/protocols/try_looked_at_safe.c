/* Only who was let in goes on. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void) {}

pthread_mutex_t m;
int x;

void *worker(void *arg)
{
    if (pthread_mutex_trylock(&m))
        return 0;
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

void *observer(void *arg)
{
    pthread_mutex_lock(&m);
    if (x)
        reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_mutex_init(&m, 0);
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 3);
    pthread_create(&id, 0, observer, 0);
    for (int i = 0; i < n; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
