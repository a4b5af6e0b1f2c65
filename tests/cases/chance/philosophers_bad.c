/* Four philosophers, the last one as greedy as the others: a deadlock, and sums that stay right. */
#include <assert.h>
#include <pthread.h>

#define N 4

static pthread_mutex_t forks[N];
static int meals;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;

static void *dine(void *arg)
{
    long i = (long)arg;
    pthread_mutex_lock(&forks[i]);
    pthread_mutex_lock(&forks[(i + 1) % N]);
    pthread_mutex_lock(&count);
    meals++;
    pthread_mutex_unlock(&count);
    pthread_mutex_unlock(&forks[(i + 1) % N]);
    pthread_mutex_unlock(&forks[i]);
    return 0;
}

int main(void)
{
    pthread_t ids[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&ids[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    assert(meals == N);
    return 0;
}
