// Another thread is told by the new one: the creator has stored the id before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_t id;
static atomic_int there;
static void *worker(void *arg) {
    there = 1;
    return 0;
}
static void *look(void *arg) {
    if (there)
        assert(id != 0);
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, look, 0);
    pthread_create(&id, 0, worker, 0);
    pthread_join(other, 0);
    pthread_join(id, 0);
    return 0;
}
