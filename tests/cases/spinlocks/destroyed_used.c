// A spin lock that was destroyed.
#include <pthread.h>
int main(void)
{
    pthread_spinlock_t l;
    pthread_spin_init(&l, 0);
    pthread_spin_destroy(&l);
    pthread_spin_lock(&l);
    return 0;
}
