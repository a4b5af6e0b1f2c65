// Destroyed by the thread that reads.
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
