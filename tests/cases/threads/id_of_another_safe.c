// Only the creator looks at the ids: nothing is assumed about when they are stored.
#include <assert.h>
#include <pthread.h>
static pthread_t ids[2];
static int done[2];
static void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}
int main(void) {
    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], 0, worker, &done[i]);
    assert(ids[0] != ids[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], 0);
    assert(done[0] && done[1]);
    return 0;
}
