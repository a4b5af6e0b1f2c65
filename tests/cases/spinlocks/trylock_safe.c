#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_spinlock_t l;
int main(void) {
    pthread_spin_init(&l, 0);
    assert(pthread_spin_trylock(&l) == 0);
    assert(pthread_spin_trylock(&l) == EBUSY);
    pthread_spin_unlock(&l);
    assert(pthread_spin_trylock(&l) == 0);
    return 0;
}
