// Passing the address of the loop counter hands the same cell to every thread.
#include <assert.h>
#include <pthread.h>
static int seen[2];
static void *worker(void *arg) {
    int id = *(int *)arg;
    if (id < 2)
        seen[id] = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(seen[0] && seen[1]);
    return 0;
}
