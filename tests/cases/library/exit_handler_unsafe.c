// In the other order.
#include <assert.h>
#include <stdlib.h>

static int released;

void check(void)
{
    assert(released);
}

void release(void)
{
    released = 1;
}

int main(void)
{
    atexit(release);
    atexit(check);
    exit(0);
}
