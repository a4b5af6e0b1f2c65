// One order, but a thread may end with a lock.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int done;

void *both(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    done++;
    pthread_mutex_unlock(&second);
    if (done == 2)
        return 0;
    pthread_mutex_unlock(&first);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        pthread_create(&thread, 0, both, 0);
    pthread_exit(0);
}
