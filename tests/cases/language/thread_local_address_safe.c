// Another thread can reach the instance through a pointer.
#include <assert.h>
#include <pthread.h>
static _Thread_local int mine;
static void *worker(void *arg) {
    int *theirs = arg;
    assert(theirs != &mine);
    *theirs = 3;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, &mine);
    pthread_join(t, 0);
    assert(mine == 3);
    return 0;
}
