#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    usleep(1000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec);
    return 0;
}
