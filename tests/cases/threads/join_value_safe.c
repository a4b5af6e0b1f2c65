#include <assert.h>
#include <pthread.h>
static int result;
static void *worker(void *arg) {
    result = *(int *)arg + 1;
    return &result;
}
int main(void) {
    pthread_t t;
    int in = 4;
    void *out = 0;
    assert(pthread_create(&t, 0, worker, &in) == 0);
    assert(pthread_join(t, &out) == 0);
    assert(*(int *)out == 5);
    return 0;
}
