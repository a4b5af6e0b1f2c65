// Whether a thread waits already is not known.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word, other;
static void *waiter(void *arg)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    return arg;
}
static int wake(int *at) { return syscall(SYS_futex, at, FUTEX_WAKE, 1); }
int main(void)
{
    pthread_t t;
    assert(wake(&word) == 0);
    pthread_create(&t, NULL, waiter, NULL);
    assert(wake(&other) == 0);
    word = 1;
    int woken = wake(&word);
    assert(woken == 0);
    return 0;
}
