/* memcached: the cache of objects, two threads that take and give back. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "cache.h"

static cache_t *cache;

static void *use(void *value)
{
    int *object = cache_alloc(cache);
    if (object) {
        *object = *(int *)value;
        assert(*object == *(int *)value);
        cache_free(cache, object);
    }
    return 0;
}

int main(void)
{
    static int one = 1, two = 2;
    pthread_t other;
    cache = cache_create("ours", sizeof(int) * 4, sizeof(char *));
    if (!cache)
        return 0;
    pthread_create(&other, 0, use, &one);
    use(&two);
    pthread_join(other, 0);
    cache_destroy(cache);
    return 0;
}
