#include <assert.h>
#include <pthread.h>
static int x;
static void *inner(void *arg) {
    x++;
    return 0;
}
static void *outer(void *arg) {
    pthread_t t;
    x++;
    pthread_create(&t, 0, inner, 0);

    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
