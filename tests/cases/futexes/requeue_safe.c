// Who was moved to another word is woken there.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int first, second;
static void *wait(void *arg) {
    syscall(SYS_futex, &first, FUTEX_WAIT, 0, NULL);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, wait, 0);
    pthread_create(&u, 0, wait, 0);
    atomic_store(&first, 1);
    syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE, 1, INT_MAX, &second, 1);
    syscall(SYS_futex, &second, FUTEX_WAKE, INT_MAX);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
