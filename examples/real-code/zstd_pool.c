/* zstd: its thread pool, one job and the end of the pool. */
#include <assert.h>
#include "pool.h"

static int done;

static void job(void *unused)
{
    done++;
}

int main(void)
{
    POOL_ctx *pool = POOL_create(1, 1);
    if (!pool)
        return 0;
    POOL_add(pool, job, 0);
    POOL_free(pool);
    assert(done == 1);
    return 0;
}
