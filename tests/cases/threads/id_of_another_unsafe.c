// A thread that was there before looks for the id of a new one: nothing orders the two.
#include <pthread.h>
static pthread_t id;
static void *look(void *arg) {
    return id ? arg : 0;
}
static void *worker(void *arg) {
    return 0;
}
int main(void) {
    pthread_t before;
    pthread_create(&before, 0, look, 0);
    pthread_create(&id, 0, worker, 0);
    pthread_join(before, 0);
    pthread_join(id, 0);
    return 0;
}
