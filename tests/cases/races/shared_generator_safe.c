// lrand48 has one state for all threads, and one of them uses it at a time.
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg) { return (void *)lrand48(); }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);

    pthread_join(t, 0);
    mrand48();
    return 0;
}
