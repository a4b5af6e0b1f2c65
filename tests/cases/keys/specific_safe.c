#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static int one = 1, two = 2;
static void *worker(void *arg) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, &two);
    assert(*(int *)pthread_getspecific(key) == 2);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &one);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == &one);
    pthread_key_delete(key);
    return 0;
}
