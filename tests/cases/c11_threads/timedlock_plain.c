// C11 7.26.4.4: the mutex shall support timeout.
#include <assert.h>
#include <threads.h>
int main(void)
{
    mtx_t m;
    struct timespec at = {0, 0};
    mtx_init(&m, mtx_plain);
    assert(mtx_timedlock(&m, &at) == thrd_success);
    return 0;
}
