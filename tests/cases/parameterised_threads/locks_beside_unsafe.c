#include <pthread.h>
/* Readers count the locks from the other end. */
unsigned __VERIFIER_nondet_uint(void);
pthread_mutex_t locks[4];
int table[4];
void *worker(void *arg)
{
    for (;;) {
        unsigned i = __VERIFIER_nondet_uint() % 4;
        pthread_mutex_lock(&locks[i]);
        table[i]++;
        pthread_mutex_unlock(&locks[i]);
    }
}
void *reader(void *arg)
{
    for (;;) {
        unsigned j = __VERIFIER_nondet_uint() % 4;
        pthread_mutex_lock(&locks[3 - j]);
        int n = table[j];
        pthread_mutex_unlock(&locks[3 - j]);
    }
}
int main(void)
{
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, worker, 0);
        pthread_create(&thread, 0, reader, 0);
    }
}
