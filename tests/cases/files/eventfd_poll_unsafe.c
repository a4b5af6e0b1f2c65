// A loop that waits for work by poll and eventfd.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int wake, work, done;

static void *loop(void *arg)
{
    while (done < 2) {
        struct pollfd file = { .fd = wake, .events = POLLIN };
        if (poll(&file, 1, -1) < 0)
            exit(1);
        uint64_t count;
        assert(file.revents == POLLIN);
        assert(read(wake, &count, sizeof count) == sizeof count && count <= 2);
        done += work;
        work = 0;
    }
    return arg;
}

static void post(void)
{
    pthread_mutex_lock(&lock);
    work++;
    pthread_mutex_unlock(&lock);
    uint64_t one = 1;
    assert(write(wake, &one, sizeof one) == sizeof one);
}

int main(void)
{
    pthread_t thread;
    wake = eventfd(0, EFD_CLOEXEC);
    if (wake < 0)
        return 1;
    pthread_create(&thread, 0, loop, 0);
    post();
    post();
    pthread_join(thread, 0);
    close(wake);
    return 0;
}
