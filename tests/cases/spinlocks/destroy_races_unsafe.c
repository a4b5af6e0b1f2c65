#include <pthread.h>
static pthread_spinlock_t l;
static void *worker(void *arg) {
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_spin_init(&l, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_spin_destroy(&l);
    pthread_join(t, 0);
    return 0;
}
