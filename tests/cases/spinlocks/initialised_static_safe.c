// The same, initialised.
#include <pthread.h>
#include <assert.h>
static pthread_spinlock_t l;
static int n;
int main(void)
{
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    n++;
    pthread_spin_unlock(&l);
    assert(n == 1);
    return 0;
}
