#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static int x;
static void *worker(void *arg) {
    sched_yield();
    usleep(10);
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    sleep(1);
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
