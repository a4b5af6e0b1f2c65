/* A thread pool that is freed before all its threads have ended. */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

typedef void (*job_fn)(void *);

struct job {
    job_fn run;
    void *arg;
    struct job *next;
};

struct queue {
    struct job *head, *tail;
    int length;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    struct queue queue;
    int stopping;
    pthread_t threads[2];
};

static int results[2];

static void work(void *arg)
{
    int *slot = arg;
    *slot += 1;
}

static void *worker(void *arg)
{
    struct pool *pool = arg;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (!pool->queue.head && !pool->stopping)
            pthread_cond_wait(&pool->ready, &pool->lock);
        struct job *job = pool->queue.head;
        if (!job) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        pool->queue.head = job->next;
        pool->queue.length--;
        pthread_mutex_unlock(&pool->lock);
        job->run(job->arg);
        free(job);
    }
}

static struct pool *pool_new(void)
{
    struct pool *pool = calloc(1, sizeof(struct pool));
    if (!pool)
        abort();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ready, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&pool->threads[i], NULL, worker, pool);
    return pool;
}

static void pool_add(struct pool *pool, job_fn run, void *arg)
{
    struct job *job = malloc(sizeof(struct job));
    if (!job)
        abort();
    job->run = run;
    job->arg = arg;
    pthread_mutex_lock(&pool->lock);
    job->next = pool->queue.head;
    pool->queue.head = job;
    pool->queue.length++;
    pthread_cond_signal(&pool->ready);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_free(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = 1;
    pthread_cond_broadcast(&pool->ready);
    pthread_mutex_unlock(&pool->lock);
#ifdef JOIN
    for (int i = 0; i < 2; i++)
        pthread_join(pool->threads[i], NULL);
#else
    pthread_join(pool->threads[0], NULL);
#endif
    free(pool);
}

int main(void)
{
    struct pool *pool = pool_new();
    pool_add(pool, work, &results[0]);
    pool_free(pool);
    return 0;
}
