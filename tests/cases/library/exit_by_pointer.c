#include <assert.h>
#include <stdlib.h>

static void last(void)
{
    assert(0);
}

int main(void)
{
    void (*leave)(int) = exit;
    atexit(last);
    leave(0);
    assert(0);
    return 0;
}
