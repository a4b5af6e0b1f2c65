#include <pthread.h>
/* Looks and store are atomic. */
static int flag;
static void *sets(void *arg) {
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        ;
    return 0;
}
