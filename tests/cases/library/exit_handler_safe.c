// Handlers run at the end, the newest first.
#include <assert.h>
#include <stdlib.h>

static int *block;

void check(void)
{
    assert(!block);
}

void release(void)
{
    free(block);
    block = 0;
}

int main(void)
{
    atexit(check);
    atexit(release);
    block = malloc(sizeof *block);
    return 0;
}
