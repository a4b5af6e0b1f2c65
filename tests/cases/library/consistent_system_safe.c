// What the system says is anything, but it does not contradict itself.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>
int main(void)
{
    struct rlimit limit;
    sigset_t set, before;
    int first = open("a", O_RDONLY), second = dup(first);
    assert(getuid() == getuid() && getegid() == getegid() && isatty(1) == isatty(1));
    umask(022);
    assert(umask(0) == 022);
    if (!getrlimit(RLIMIT_NOFILE, &limit))
        assert(limit.rlim_cur <= limit.rlim_max);
    assert(get_nprocs() <= get_nprocs_conf());
    assert(first < 0 || first != second);
    long place = lseek(0, 5, SEEK_SET);
    assert(place == 5 || place == -1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    sigprocmask(SIG_BLOCK, 0, &before);
    assert(sigismember(&before, SIGUSR1) == 1);
    errno = 0;
    assert(strtol("1", 0, 1) == 0 && errno == EINVAL);
    return 0;
}
