// lrand48 has one state for all threads, and no lock.
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg) { return (void *)lrand48(); }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    mrand48();
    pthread_join(t, 0);
    return 0;
}
