// Nothing was set: the limit may be any.
#include <sys/resource.h>
void reach_error(void);
int main(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != 10)
        reach_error();
    return 0;
}
