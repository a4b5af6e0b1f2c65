#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void)
{
    uint64_t count = 0;
    int file = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    if (file < 0)
        return 1;
    assert(read(file, &count, 4) == -1 && errno == EINVAL);
    assert(read(file, &count, 8) == 8 && count == 1);
    assert(eventfd_read(file, &count) == 0 && count == 1);
    assert(read(file, &count, 8) == -1 && errno == EAGAIN);
    assert(eventfd_write(file, -2ull) == 0);
    assert(eventfd_write(file, 1) == -1 && errno == EAGAIN);
    assert(eventfd_write(file, -1ull) == -1 && errno == EINVAL);
    return 0;
}
