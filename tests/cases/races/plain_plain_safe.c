#include <pthread.h>
static int x, y;
static void *one(void *arg) { x = 1; return 0; }
static void *two(void *arg) { y = 2; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
