#include <pthread.h>
static char bytes[2];
static void *one(void *arg) { bytes[0] = 1; return 0; }
static void *two(void *arg) { *(short *)bytes = 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
