/* The same, freed when no one can find it any more. */
#define LATE
#include <pthread.h>
#include <stdlib.h>

#define N 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *use(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    if (shared)
        *shared += 1;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *drop(void *arg)
{
    (void)arg;
    int *old = shared;
#ifndef LATE
    free(old);
#endif
    pthread_mutex_lock(&m);
    shared = 0;
    pthread_mutex_unlock(&m);
#ifdef LATE
    free(old);
#endif
    return 0;
}

int main(void)
{
    pthread_t ids[N];
    shared = calloc(1, sizeof *shared);
    if (!shared)
        return 1;
    for (int i = 0; i < N; i++)
        pthread_create(&ids[i], 0, i == N / 2 ? drop : use, 0);
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    return 0;
}
