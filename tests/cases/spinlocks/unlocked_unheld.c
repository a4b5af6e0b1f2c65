// Unlocked by a thread that does not hold it: an assumption.
#include <pthread.h>
int main(void)
{
    pthread_spinlock_t l;
    pthread_spin_init(&l, 0);
    pthread_spin_unlock(&l);
    return 0;
}
