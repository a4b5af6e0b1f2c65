// A mutex for timed locks.
#include <assert.h>
#include <threads.h>
int main(void)
{
    mtx_t m;
    struct timespec at = {0, 0};
    mtx_init(&m, mtx_timed | mtx_recursive);
    assert(mtx_timedlock(&m, &at) == thrd_success);
    return 0;
}
