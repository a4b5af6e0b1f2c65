// A thread that spins still takes steps.
#include <pthread.h>
static volatile int never;
static void *one(void *arg) {
    while (!never)
        ;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
