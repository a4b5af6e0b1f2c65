/* The same where the last one takes the other fork first. */
#include <assert.h>
#include <pthread.h>

#define N 4

static pthread_mutex_t forks[N];
static int meals;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;

static void *dine(void *arg)
{
    long i = (long)arg, first = i == N - 1 ? 0 : i, second = i == N - 1 ? i : i + 1;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_lock(&count);
    meals++;
    pthread_mutex_unlock(&count);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
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
