#include <assert.h>
#include <pthread.h>
static int x, y, a, b;
static void *one(void *arg) {
    a = x;
    y = 1;
    return 0;
}
static void *two(void *arg) {
    b = y;
    x = 1;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(!(a == 1 && b == 0));
    return 0;
}
