#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l;
static int x, y;
static void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}
static void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    assert(x == y);
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_rwlock_init(&l, 0);
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_rwlock_destroy(&l);
    return 0;
}
