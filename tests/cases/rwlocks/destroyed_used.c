// What a read-write lock does that was destroyed is undefined.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void)
{
    pthread_rwlock_destroy(&l);
    assert(pthread_rwlock_rdlock(&l) == 0);
    return 0;
}
