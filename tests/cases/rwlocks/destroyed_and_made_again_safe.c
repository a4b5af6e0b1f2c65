// Initialised again, it can be used again.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void)
{
    pthread_rwlock_destroy(&l);
    pthread_rwlock_init(&l, 0);
    assert(pthread_rwlock_wrlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
