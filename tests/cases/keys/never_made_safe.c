#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
    pthread_key_t k;
    int x;
    pthread_key_create(&k, 0);
    assert(pthread_setspecific(k + 0, &x) == 0);
    return 0;
}
