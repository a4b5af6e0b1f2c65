// Adjacent bit-fields share a memory location; a zero-width one separates them.
#include <pthread.h>
static struct {
    unsigned a : 3;

    unsigned b : 3;
} s;
static void *one(void *arg) { s.a = 1; return 0; }
static void *two(void *arg) { s.b = 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
