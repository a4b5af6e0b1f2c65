// A wait with a timeout may end by it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;
static void *change(void *arg) {
    atomic_store(&word, 1);
    return arg;
}
int main(void) {
    pthread_t t;
    struct timespec limit = { 1, 0 };
    pthread_create(&t, 0, change, 0);
    long result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit, NULL, 0);
    assert(result == 0 || errno == EAGAIN);
    pthread_join(t, 0);
    return 0;
}
