#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_barrier_t b;
static pthread_barrierattr_t a;
int main(void) {
    pthread_barrierattr_init(&a);
    assert(pthread_barrierattr_setpshared(&a, 2) == EINVAL);
    assert(pthread_barrier_init(&b, &a, 1) == 0);
    return 0;
}
