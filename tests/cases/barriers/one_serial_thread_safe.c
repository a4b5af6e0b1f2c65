// Exactly one of the threads is told that it is the serial one.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int serial;
static void *worker(void *arg) {
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(serial == 1);
    return 0;
}
