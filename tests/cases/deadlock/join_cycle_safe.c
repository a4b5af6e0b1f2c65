#include <pthread.h>
static pthread_t first;
static void *worker(void *arg) {

    return 0;
}
int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
