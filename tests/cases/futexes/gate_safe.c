// The kernel compares the word once more before it puts a thread to sleep, so no wake-up is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int gate;
static int data;
static void *open_it(void *arg) {
    data = 1;
    atomic_store(&gate, 1);
    syscall(SYS_futex, &gate, FUTEX_WAKE, 1, NULL, NULL, 0);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, open_it, 0);
    while (atomic_load(&gate) == 0)
        syscall(SYS_futex, &gate, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(data == 1);
    pthread_join(t, 0);
    return 0;
}
