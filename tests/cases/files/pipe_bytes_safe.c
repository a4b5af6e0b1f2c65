// What is there is read, up to what is asked for; then the end.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char block[8] = "";
    if (pipe(ends) < 0)
        return 1;
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    assert(read(ends[0], block, 8) == -1 && errno == EAGAIN);
    assert(write(ends[1], "hello", 5) == 5);
    assert(write(ends[1], "you", 3) == 3);
    assert(read(ends[0], block, 3) == 3 && !memcmp(block, "hel", 3));
    assert(read(ends[0], block, 8) == 5 && !memcmp(block, "loyou", 5));
    assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
    close(ends[1]);
    assert(read(ends[0], block, 8) == 0);
    return 0;
}
