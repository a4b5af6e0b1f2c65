// printf may be where a thread is cancelled, and may not be.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int passed;

void *worker(void *arg)
{
    printf("%d\n", 1);
    passed = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(passed);
    return 0;
}
