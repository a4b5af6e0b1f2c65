#include <assert.h>
#include <pthread.h>
static int x, y, a, b, c, d;
static void *wx(void *arg) { x = 1; return 0; }
static void *wy(void *arg) { y = 1; return 0; }
static void *rxy(void *arg) { a = x; b = y; return 0; }
static void *ryx(void *arg) { c = y; d = x; return 0; }
int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, wx, 0);
    pthread_create(&t[1], 0, wy, 0);
    pthread_create(&t[2], 0, rxy, 0);
    pthread_create(&t[3], 0, ryx, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(a == 1 && b == 0 && c == 1 && d == 1));
    return 0;
}
