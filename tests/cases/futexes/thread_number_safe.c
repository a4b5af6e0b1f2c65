// A lock that its owner may take again, by the number of the thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int owner;
static int depth, counter;
static void lock(void) {
    int me = syscall(SYS_gettid);
    if (atomic_load(&owner) != me) {
        int nobody = 0;
        while (!atomic_compare_exchange_weak(&owner, &nobody, me))
            nobody = 0;
    }
    depth++;
}
static void unlock(void) {
    if (--depth == 0)
        atomic_store(&owner, 0);
}
static void *add(void *arg) {
    lock();
    lock();
    counter++;
    unlock();
    unlock();
    return arg;
}
int main(void) {
    pthread_t t, u;
    assert(gettid() == getpid());
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(counter == 2);
    return 0;
}
