/* The program itself leaves its block before the error: nothing is claimed about what follows. */
#include <assert.h>
#include <stdlib.h>

struct device {
    int users, open;
};

int main(void)
{
    struct device *device = malloc(0);
    if (device->open)
        assert(0);
    return 0;
}
