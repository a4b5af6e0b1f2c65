#include <pthread.h>
/* A place in a ring may be one behind its end. */
enum { SIZE = 3 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ring[SIZE], head, tail, count;
void *producer(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (count < SIZE) {
            ring[tail] = 1;
            tail = (tail + 1) % (SIZE + 1);
            count++;
        }
        pthread_mutex_unlock(&lock);
    }
}
void *consumer(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (count > 0) {
            ring[head] = 0;
            head = (head + 1) % SIZE;
            count--;
        }
        pthread_mutex_unlock(&lock);
    }
}
int main(void)
{
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
}
