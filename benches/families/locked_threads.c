// N threads each add one to a counter under one mutex.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 4
#endif
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(counter == N);
    return 0;
}
