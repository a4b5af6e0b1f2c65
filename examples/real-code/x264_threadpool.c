/* x264: a pool of one thread runs one job. */
#include <assert.h>
#include "common/common.h"

static int given = 7;

static void *job(void *argument)
{
    return argument;
}

int main(void)
{
    x264_threadpool_t *pool;
    if (x264_threadpool_init(&pool, 1))
        return 0;
    x264_threadpool_run(pool, job, &given);
    assert(x264_threadpool_wait(pool, &given) == &given);
    x264_threadpool_delete(pool);
    return 0;
}
