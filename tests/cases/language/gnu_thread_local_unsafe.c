#include <assert.h>
#include <pthread.h>
 int mine;
static void *worker(void *arg) {
    mine = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(mine == 0);
    return 0;
}
