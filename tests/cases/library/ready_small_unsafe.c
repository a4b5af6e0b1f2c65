// All structures are used.
#include <poll.h>
#include <stdlib.h>

int main(void) {
    struct pollfd *file = calloc(1, sizeof *file);
    if (!file) return 0;
    poll(file, 2, 10);
    free(file);
    return 0;
}
