// C11: a thread is joined or detached once.
#include <threads.h>
static int worker(void *arg) {
    return 1;
}
int main(void) {
    thrd_t thread;
    thrd_create(&thread, worker, 0);
    thrd_join(thread, 0);
    thrd_create(&thread, worker, 0);
    thrd_detach(thread);
    return 0;
}
