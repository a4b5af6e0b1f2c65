// The guard is gone before the count changes.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void give_back(pthread_mutex_t **l) { pthread_mutex_unlock(*l); }
typedef pthread_mutex_t *guard;
static guard take(pthread_mutex_t *l) {
    pthread_mutex_lock(l);
    return l;
}
static int bump(int early) {
    { __attribute__((cleanup(give_back))) guard g = take(&m); }
    int before = count++;
    if (early)
        return before;
    count++;
    return before + 1;
}
static void *run(void *arg) {
    bump(arg != 0);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, &a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 3);
    return 0;
}
