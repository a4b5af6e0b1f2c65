#include <assert.h>
#include <pthread.h>
#define N 3
static int slot[N];
static void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}
int main(void) {
    pthread_t t[N];
    int sum = 0;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, &slot[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < N; i++)
        sum += slot[i];
    assert(sum == N);
    return 0;
}
