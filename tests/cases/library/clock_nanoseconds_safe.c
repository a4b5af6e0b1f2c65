// The time in nanoseconds fits into 64 bits: Linux counts it like that.
#include <stdint.h>
#include <time.h>

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(void)
{
    int64_t start = now();
    int64_t end = now();
    return end < start;
}
