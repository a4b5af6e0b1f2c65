/* Readers hold the lock for reading, writers for writing. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    int seen = data;
    pthread_rwlock_unlock(&l);
    return 0;
}

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&l);
    data++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&id, 0, reader, 0);
        pthread_create(&id, 0, writer, 0);
    }
    return 0;
}
