// pthread_exit in main ends only that thread; the others go on.
#include <pthread.h>
extern void reach_error(void);
static pthread_t main_thread;
static void *worker(void *arg) {
    pthread_join(main_thread, 0);
    reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
