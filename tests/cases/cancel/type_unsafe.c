// The old type is given back. Nobody is cancelled here, so asynchronous cancellation is harmless.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
    int old;
    assert(pthread_setcanceltype(2, &old) == EINVAL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    return 0;
}
