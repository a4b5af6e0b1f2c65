// POSIX has no thread without a place for its id.
#include <pthread.h>
static void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t;
    pthread_create(0, 0, worker, 0);
    return 0;
}
