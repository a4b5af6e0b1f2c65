#include <pthread.h>
#include <stdlib.h>
/* Up to a bound in a global that is less by then, not all threads are joined. */
int __VERIFIER_nondet_int(void);
int threads, setting;
void *worker(void *arg)
{
    return setting == 1 ? arg : 0;
}
int main(void)
{
    threads = __VERIFIER_nondet_int();
    if (threads < 1 || threads > 100)
        return 0;
    pthread_t *ids = malloc(threads * sizeof(pthread_t));
    setting = 1;
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], 0, worker, 0);
    threads--;
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], 0);
    setting = 2;
    return 0;
}
