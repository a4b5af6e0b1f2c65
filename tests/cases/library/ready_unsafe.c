// Without a limit poll ends when a file is ready, with one perhaps before; an error is told in any case.
#include <assert.h>
#include <poll.h>

int main(void) {
    struct pollfd file = {.fd = 0, .events = POLLIN};
    int ready = poll(&file, 1, 10);
    assert(ready != 1 || file.revents & POLLIN);
    return 0;
}
