// Pointers to jobs go through a pipe; the worker frees them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct job { int a, b; };

static int ends[2];
static int sum;

static void *worker(void *arg)
{
    struct job *job;
    while (read(ends[0], &job, sizeof job) == sizeof job) {
        sum += job->a + job->b;
        free(job);
    }
    return arg;
}

static void submit(int a, int b)
{
    struct job *job = malloc(sizeof *job);
    job->a = a;
    job->b = b;
    assert(write(ends[1], &job, sizeof job) == sizeof job);
    job->b = 0;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) < 0)
        return 1;
    pthread_create(&thread, 0, worker, 0);
    submit(1, 2);
    submit(3, 4);
    close(ends[1]);
    pthread_join(thread, 0);
    assert(sum == 10);
    close(ends[0]);
    return 0;
}
