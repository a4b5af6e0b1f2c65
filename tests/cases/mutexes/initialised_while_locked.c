#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;

/* POSIX leaves it undefined. */
int main(void)
{
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_init(&m, 0);
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
