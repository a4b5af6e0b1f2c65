// The value of an initialiser, and no mutex that was used.
#include <pthread.h>
#include <assert.h>
struct account { pthread_mutex_t lock; int sum; };
static struct account b;
int main(void)
{
    b = (struct account){PTHREAD_MUTEX_INITIALIZER, 1};
    pthread_mutex_lock(&b.lock);
    b.sum++;
    pthread_mutex_unlock(&b.lock);
    assert(b.sum == 2);
    return 0;
}
