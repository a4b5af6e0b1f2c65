#include <pthread.h>
#include <string.h>
static char buf[4];
static void *one(void *arg) { memset(buf, 1, 2); return 0; }
static void *two(void *arg) { buf[2] = 5; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
