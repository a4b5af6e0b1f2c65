// A path without an end.
#include <unistd.h>

int main(void)
{
    char path[3] = { 'a', '/', 'b' };
    return access(path, 0);
}
