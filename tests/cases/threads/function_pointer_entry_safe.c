#include <assert.h>
#include <pthread.h>
typedef void *(*body)(void *);
static int x;
static void *one(void *arg) { x = 1; return 0; }
static void *two(void *arg) { x = 2; return 0; }
static const body bodies[] = {one, two};
static pthread_t start(body f) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    return t;
}
int main(void) {
    pthread_join(start(bodies[1]), 0);
    assert(x == 2);
    return 0;
}
