// Nobody can read any more: EPIPE, if the signal is ignored.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends) < 0)
        return 1;
    close(ends[0]);
    long written = write(ends[1], "x", 1);
    assert(written == -1 && (errno == EPIPE || errno == EINTR));
    return 0;
}
