#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int a, b;
static void *writer(void *arg) {
    seq++;
    a = 1;
    b = 1;
    seq++;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    unsigned before = seq;
    int x = a, y = b;
    if (before % 2 == 0 && seq == before)
        assert(x == y);
    pthread_join(t, 0);
    return 0;
}
