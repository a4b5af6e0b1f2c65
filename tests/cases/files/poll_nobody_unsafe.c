// A wait without a limit for a pipe that nobody writes to.
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *waiter(void *arg)
{
    struct pollfd file = { .fd = ends[0], .events = POLLIN };
    poll(&file, 1, -1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) < 0)
        return 1;
    pthread_create(&thread, 0, waiter, 0);
    pthread_join(thread, 0);
    return 0;
}
