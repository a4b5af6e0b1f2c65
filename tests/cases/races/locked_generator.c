// C lets calls of rand race, glibc locks.
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg) { return (void *)(long)rand(); }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    rand();
    pthread_join(t, 0);
    return 0;
}
