//   obmc check examples/lost_update.c     UNSAFE: two threads add one in two steps, one gets lost
#include <assert.h>
#include <pthread.h>

_Atomic int counter;

void *worker(void *unused)
{
    int seen = counter;
    counter = seen + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
