/* What was announced is looked at earlier, under another lock: meanwhile there is more. */
#include <assert.h>
#include <pthread.h>

int announced, done;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&a);
    int seen = announced;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&d);
    done++;
    assert(done <= seen);
    pthread_mutex_unlock(&d);
    return 0;
}

int main(void)
{
    pthread_t id;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&a);
        announced++;
        pthread_mutex_unlock(&a);
        pthread_create(&id, 0, worker, 0);
    }
    return 0;
}
