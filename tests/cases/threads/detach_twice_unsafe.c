// A thread is detached twice, by one call in a loop. It may have ended before the second.
#include <pthread.h>
static void *worker(void *arg) {
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_detach(thread);
    return 0;
}
