#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_key_t k;
int main(void) {
    int x;
    pthread_key_create(&k, 0);
    assert(pthread_setspecific(k, &x) == 0);
    assert(pthread_key_delete(k) == 0);
    assert(pthread_setspecific(k, &x) == EINVAL);
    assert(pthread_key_delete(k) == EINVAL);
    assert(pthread_getspecific(k) == &x);
    return 0;
}
