#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    struct timespec t = { 0, 0 };
    assert(pthread_rwlock_timedrdlock(&l, &t) == 0);
    return 0;
}
