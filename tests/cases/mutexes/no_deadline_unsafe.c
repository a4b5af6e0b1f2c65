#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    struct timespec t = { 0, 0 };
    pthread_mutex_lock(&m);
    pthread_mutex_timedlock(&m, 0);
    return 0;
}
