// The destructor runs when a thread ends with a value that is not null.
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static int destroyed;
static void destroy(void *value) { destroyed += *(int *)value; }
static void *worker(void *arg) {

    return 0;
}
int main(void) {
    pthread_t t;
    int five = 5;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, &five);
    pthread_join(t, 0);
    assert(destroyed == 5);
    return 0;
}
