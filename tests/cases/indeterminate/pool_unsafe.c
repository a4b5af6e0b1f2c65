// A wait with `if` takes a job from an empty queue, and calls what was never set.
#include <pthread.h>
#include <stdlib.h>

struct job {
    void (*run)(int);
    int arg;
    struct job *next;
} *head;
int stopped, total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void add(int n)
{
    pthread_mutex_lock(&m);
    total += n;
    pthread_mutex_unlock(&m);
}

static void subtract(int n)
{
    pthread_mutex_lock(&m);
    total -= n;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
    struct job *j, copy;
    pthread_mutex_lock(&m);
    if (!head && !stopped)
        pthread_cond_wait(&c, &m);
    j = head;
    if (j) {
        copy = *j;
        head = j->next;
    }
    pthread_mutex_unlock(&m);
    copy.run(copy.arg);
    free(j);
    return arg;
}

static void submit(void (*run)(int), int arg)
{
    struct job *j = malloc(sizeof *j);
    j->run = run;
    j->arg = arg;
    pthread_mutex_lock(&m);
    j->next = head;
    head = j;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    submit(total ? subtract : add, 1);
    pthread_mutex_lock(&m);
    stopped = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
