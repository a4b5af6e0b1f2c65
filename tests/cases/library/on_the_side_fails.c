// Calls to the environment that programs make on the side hide no failure.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int ready;

static void before(void) {}

static void *work(void *unused)
{
    prctl(PR_SET_NAME, "worker");
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    return 0;
}

int main(void)
{
    pthread_t other;
    struct timeval now;
    gettimeofday(&now, 0);
    assert(get_nprocs() >= 1);
    pthread_atfork(before, 0, 0);
    pthread_create(&other, 0, work, 0);
    while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
        sched_yield();
    pthread_join(other, 0);
    assert(ready == 0);
    return 0;
}
