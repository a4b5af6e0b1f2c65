// A thread finds its own id where its creator wanted it, as in glibc. POSIX leaves that open.
#include <assert.h>
#include <pthread.h>
static pthread_t id;
static void *worker(void *arg) {
    assert(!pthread_equal(id, pthread_self()));
    return 0;
}
int main(void) {
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    return 0;
}
