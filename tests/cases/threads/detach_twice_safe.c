// Threads detach themselves, each once.
#include <assert.h>
#include <pthread.h>
static void *worker(void *arg) {
    assert(pthread_detach(pthread_self()) == 0);
    return 0;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
}
