// Without a handler the signal ends the process.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (pipe(ends) < 0)
        return 1;
    close(ends[0]);
    write(ends[1], "x", 1);
    assert(0);
    return 0;
}
