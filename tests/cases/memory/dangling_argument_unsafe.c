// The starter's local is gone when the thread looks at it, unless the starter waits.
#include <pthread.h>
static pthread_t t;
static int sum;
static void *worker(void *arg) {
    sum += *(int *)arg;
    return 0;
}
static void start(void) {
    int local = 1;
    pthread_create(&t, 0, worker, &local);

}
int main(void) {
    start();
    pthread_join(t, 0);
    return 0;
}
