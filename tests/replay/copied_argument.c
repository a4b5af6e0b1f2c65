/* The start routine and its argument reach the thread by a copy of both at once. */
#include <assert.h>
#include <pthread.h>

static void end(void *value)
{
    assert(value == 0);
}

static void *work(void *argument)
{
    pthread_key_t *key = argument;
    pthread_setspecific(*key, key);
    return 0;
}

int main(void)
{
    pthread_key_t key;
    pthread_t thread;
    pthread_key_create(&key, end);
    pthread_create(&thread, 0, work, &key);
    pthread_setspecific(key, 0);
    pthread_join(thread, 0);
    return 0;
}
