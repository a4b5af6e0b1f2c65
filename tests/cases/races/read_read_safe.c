#include <pthread.h>
static int x = 3;
static void *one(void *arg) { return x == 3 ? arg : 0; }
static void *two(void *arg) { if (x == 2) return arg; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
