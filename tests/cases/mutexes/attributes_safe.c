#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
    pthread_mutexattr_t a;
    int kind;
    pthread_mutexattr_init(&a);
    assert(pthread_mutexattr_settype(&a, 4) == EINVAL);
    assert(pthread_mutexattr_setpshared(&a, 2) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&a, 3) == EINVAL);
    assert(pthread_mutexattr_setrobust(&a, -1) == EINVAL);
    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_gettype(&a, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
    return 0;
}
