// Two threads sleep and one is woken.
#include <pthread.h>
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int gate;
static void *wait(void *arg) {
    while (atomic_load(&gate) == 0)
        syscall(SYS_futex, &gate, FUTEX_WAIT, 0, NULL);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, wait, 0);
    pthread_create(&u, 0, wait, 0);
    atomic_store(&gate, 1);
    syscall(SYS_futex, &gate, FUTEX_WAKE, 1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
