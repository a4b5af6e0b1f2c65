#include <assert.h>
#include <stdlib.h>

static void last(void)
{
    assert(0);
}

int main(void)
{
    void (*leave)(void) = abort;
    atexit(last);
    leave();
    assert(0);
    return 0;
}
