// pthread_create may fail. Ours does not, which is an assumption where the program looks.
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t t;
    int error = pthread_create(&t, 0, worker, 0);
    assert(error == 0);
    return 0;
}
