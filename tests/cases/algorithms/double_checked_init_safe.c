#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int object;
static _Atomic(int *) instance;
static int get(void) {
    int *p = instance;
    if (!p) {
        pthread_mutex_lock(&m);
        p = instance;
        if (!p) {
            object = 7;
            p = &object;
            instance = p;
        }
        pthread_mutex_unlock(&m);
    }
    return *p;
}
static void *worker(void *arg) {
    assert(get() == 7);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(get() == 7);
    pthread_join(t, 0);
    return 0;
}
