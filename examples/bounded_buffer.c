// A bounded buffer with a mutex and two condition variables.
//   obmc check examples/bounded_buffer.c              SAFE
//   obmc check examples/bounded_buffer.c -DBROKEN     UNSAFE: `if` instead of `while` around the wait
#include <assert.h>
#include <pthread.h>

#define SIZE 1

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
int buffer[SIZE];
int count;

#ifdef BROKEN
#define WAIT_UNTIL(condition, signal) if (!(condition)) pthread_cond_wait(signal, &m)
#else
#define WAIT_UNTIL(condition, signal) while (!(condition)) pthread_cond_wait(signal, &m)
#endif

static void put(int value)
{
    pthread_mutex_lock(&m);
    WAIT_UNTIL(count < SIZE, &not_full);
    assert(count < SIZE);
    buffer[count++] = value;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

static int get(void)
{
    pthread_mutex_lock(&m);
    WAIT_UNTIL(count > 0, &not_empty);
    assert(count > 0);
    int value = buffer[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return value;
}

void *producer(void *unused)
{
    put(7);
    return 0;
}

void *consumer(void *unused)
{
    assert(get() == 7);
    return 0;
}

int main(void)
{
    pthread_t p[2], c[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&p[i], 0, producer, 0);
        pthread_create(&c[i], 0, consumer, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(p[i], 0);
        pthread_join(c[i], 0);
    }
    assert(count == 0);
    return 0;
}
