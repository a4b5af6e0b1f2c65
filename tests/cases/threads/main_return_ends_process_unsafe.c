// When main returns the process ends: nothing that comes after it exists.
#include <pthread.h>
extern void reach_error(void);
static int returned;
static void leave(void) { returned = 1; }
static void *worker(void *arg) {
    while (!returned)
        ;
    reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    leave();
    return 0;
}
