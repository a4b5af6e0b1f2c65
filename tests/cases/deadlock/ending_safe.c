#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *keep(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, keep, 0);
    pthread_create(&b, 0, keep, 0);
    return 0; /* ends the process, and who waits with it */
}
