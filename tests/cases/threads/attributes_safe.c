#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
    pthread_attr_t a;
    int policy;
    pthread_attr_init(&a);
    assert(pthread_attr_setdetachstate(&a, 2) == EINVAL);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setschedpolicy(&a, 3) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 100) == EINVAL);
    assert(pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
    assert(pthread_attr_getschedpolicy(&a, &policy) == 0 && policy == SCHED_RR);
    return 0;
}
