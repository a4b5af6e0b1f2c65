// The jump leaves the lock behind, and nobody unlocks it.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failures;
static void fail(jmp_buf *context) { longjmp(*context, 1); }
static void *worker(void *arg)
{
    jmp_buf context;
    pthread_mutex_lock(&lock);
    if (setjmp(context) != 0) {
        failures++;
        return arg;
    }
    fail(&context);
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(failures == 2);
    return 0;
}
