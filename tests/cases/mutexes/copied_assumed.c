// A copy of a mutex is used as one: POSIX leaves it undefined, so it is an assumption.
#include <pthread.h>
#include <assert.h>
struct account { pthread_mutex_t lock; int sum; };
static struct account a = {PTHREAD_MUTEX_INITIALIZER, 1}, b;
int main(void)
{
    b = a;
    pthread_mutex_lock(&b.lock);
    b.sum++;
    pthread_mutex_unlock(&b.lock);
    assert(b.sum == 2);
    return 0;
}
