#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

static int get(void)
{
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_unlock(&lock);
    return seen;
}

/* No lock is held where one is taken. */
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int both = get();
    both += get();
    pthread_join(t, 0);
    return both;
}
