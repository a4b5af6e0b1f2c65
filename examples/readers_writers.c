// Readers and writers: many may read, one may write, with a mutex and a condition variable.
//   obmc check examples/readers_writers.c              SAFE
//   obmc check examples/readers_writers.c -DBROKEN     UNSAFE: the writer forgets the readers
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int readers;
int writing;
int first, second; // always equal for a reader

static void begin_read(void)
{
    pthread_mutex_lock(&m);
    while (writing)
        pthread_cond_wait(&changed, &m);
    readers++;
    pthread_mutex_unlock(&m);
}

static void end_read(void)
{
    pthread_mutex_lock(&m);
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

static void begin_write(void)
{
    pthread_mutex_lock(&m);
#ifdef BROKEN
    while (writing)
#else
    while (writing || readers > 0)
#endif
        pthread_cond_wait(&changed, &m);
    writing = 1;
    pthread_mutex_unlock(&m);
}

static void end_write(void)
{
    pthread_mutex_lock(&m);
    writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

void *reader(void *unused)
{
    begin_read();
    int a = first, b = second;
    end_read();
    assert(a == b);
    return 0;
}

void *writer(void *unused)
{
    begin_write();
    first++;
    second++;
    end_write();
    return 0;
}

int main(void)
{
    pthread_t r1, r2, w;
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r1, 0);
    pthread_join(r2, 0);
    pthread_join(w, 0);
    return 0;
}
