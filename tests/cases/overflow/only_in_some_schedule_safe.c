#include <limits.h>
#include <pthread.h>
static int x = INT_MAX;
static void *one(void *arg) { x = 0; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    int y = x + 1;
    return y == 5;
}
