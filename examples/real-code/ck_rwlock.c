/* Concurrency kit: the read-write lock, a writer beside a reader. */
#include <assert.h>
#include <ck_rwlock.h>
#include <pthread.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int a, b;

static void *both(void *unused)
{
    ck_rwlock_write_lock(&lock);
    a++;
    b++;
    ck_rwlock_write_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, both, 0);
    ck_rwlock_read_lock(&lock);
    assert(a == b);
    ck_rwlock_read_unlock(&lock);
    pthread_join(other, 0);
    return 0;
}
