#include <pthread.h>
/* The looks are atomic, the store is not: each failing look races with it. */
static int flag;
static void *sets(void *arg) {
    flag = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        ;
    return 0;
}
