// Who waits for no signal waits for ever.
#include <signal.h>
int main(void)
{
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigwait(&set, &number);
    return 0;
}
