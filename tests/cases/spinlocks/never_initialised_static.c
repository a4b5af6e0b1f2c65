// Static and never initialised: POSIX has no initialiser for it, and zero is a lock that is held with glibc on x86.
#include <pthread.h>
#include <assert.h>
static pthread_spinlock_t l;
static int n;
int main(void)
{
    pthread_spin_lock(&l);
    n++;
    pthread_spin_unlock(&l);
    assert(n == 1);
    return 0;
}
