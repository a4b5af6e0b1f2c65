#include <assert.h>
#include <signal.h>
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, 64);
    assert(sigismember(&set, SIGINT) && sigismember(&set, 64) && !sigismember(&set, SIGTERM));
    sigdelset(&set, SIGTERM);
    assert(!sigismember(&set, SIGINT));
    assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
    return 0;
}
