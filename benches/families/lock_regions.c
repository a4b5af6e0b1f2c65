// Two threads each add one to a counter under one mutex, N times.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *add(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2 * N);
    return 0;
}
