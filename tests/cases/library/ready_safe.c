// poll and select tell of files that they were asked for, and of no others; how many is what they return.
#include <assert.h>
#include <poll.h>
#include <sys/select.h>

int main(void) {
    struct pollfd files[2] = {{.fd = 0, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    int ready = poll(files, 2, 10);
    assert(ready >= -1 && ready <= 1);
    if (ready >= 0) {
        assert(files[1].revents == 0 && !(files[0].revents & POLLOUT));
        assert(ready == (files[0].revents != 0));
    }
    fd_set set;
    FD_ZERO(&set);
    FD_SET(1, &set);
    ready = select(2, &set, 0, 0, 0);
    assert(ready == -1 || ready == 1);
    assert(FD_ISSET(1, &set) && !FD_ISSET(0, &set));
    return 0;
}
