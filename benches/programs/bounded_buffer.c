// Two producers and a consumer share a ring of two slots under a lock and two condition variables.
#include <assert.h>
#include <pthread.h>

#define SLOTS 2
#define ITEMS 3

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int ring[SLOTS], first, used;

void put(int item)
{
    pthread_mutex_lock(&lock);
    while (used == SLOTS)
        pthread_cond_wait(&not_full, &lock);
    ring[(first + used++) % SLOTS] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

int take(void)
{
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = ring[first];
    first = (first + 1) % SLOTS;
    used--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int sum = 0;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, produce, 0);
    for (int i = 0; i < 2 * ITEMS; i++)
        sum += take();
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == ITEMS * (ITEMS + 1));
    return 0;
}
