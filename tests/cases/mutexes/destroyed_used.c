// What a mutex does that was destroyed: POSIX leaves it undefined (glibc refuses).
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
    pthread_mutex_destroy(&m);
    assert(pthread_mutex_lock(&m) == 0);
    return 0;
}
