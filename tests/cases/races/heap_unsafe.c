#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *one(void *arg) { p[0] = 1; return 0; }
static void *two(void *arg) { p[ 0 ] = 1; return 0; }
int main(void) {
    pthread_t a, b;
    p = malloc(2 * sizeof(int));
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(p);
    return 0;
}
