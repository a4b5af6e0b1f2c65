// A thread that finds its own id where its creator wanted it cannot join itself.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_t id;
static void *worker(void *arg) {
    assert(pthread_join(id, 0) == EDEADLK);
    return 0;
}
int main(void) {
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    return 0;
}
