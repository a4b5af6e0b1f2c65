// What was set is what is there, and what the system is does not change. Neither is modelled.
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
void reach_error(void);
int main(void)
{
    struct rlimit wanted = { 10, 20 }, limit;
    struct utsname a, b;
    if (getpgrp() != getpgrp())
        reach_error();
    if (sysconf(_SC_CLK_TCK) != sysconf(_SC_CLK_TCK))
        reach_error();
    if (uname(&a) == 0 && uname(&b) == 0 && a.sysname[0] != b.sysname[0])
        reach_error();
    if (setrlimit(RLIMIT_NOFILE, &wanted) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0
        && limit.rlim_cur != 10)
        reach_error();
    return 0;
}
