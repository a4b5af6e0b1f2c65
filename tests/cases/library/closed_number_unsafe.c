// A number may be used again when it is closed.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    int first = open("a", O_RDONLY);
    close(first);
    int second = open("b", O_RDONLY);
    assert(first < 0 || first != second);
    return 0;
}
