/* The signal comes before the wait. */
#include <pthread.h>
#include <stdbool.h>

struct box {
    pthread_mutex_t lock;
    pthread_cond_t full;
    bool has;
    int value;
};

static struct box box = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };

static void *consumer(void *arg)
{
    struct box *b = arg;
    bool has;
    pthread_mutex_lock(&b->lock);
    has = b->has;
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_lock(&b->lock);
    if (!has)
        pthread_cond_wait(&b->full, &b->lock);
    b->has = false;
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static void put(struct box *b, int value)
{
    pthread_mutex_lock(&b->lock);
    b->value = value;
    b->has = true;
    pthread_cond_signal(&b->full);
    pthread_mutex_unlock(&b->lock);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, &box);
    put(&box, 42);
    pthread_join(t, NULL);
    return 0;
}
