// glibc refuses a mutex that was destroyed; POSIX leaves it undefined.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
    pthread_mutex_destroy(&m);
    assert(pthread_mutex_trylock(&m) == EINVAL && pthread_mutex_lock(&m) == EINVAL);
    assert(pthread_mutex_unlock(&m) == EINVAL);
    return 0;
}
