#include <pthread.h>
static void *worker(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
    pthread_t t;
    int shared = 0, own = 0;
    pthread_create(&t, 0, worker, &shared);
    shared = 2;
    pthread_join(t, 0);
    return 0;
}
