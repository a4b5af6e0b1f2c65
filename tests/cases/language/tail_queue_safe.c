// A list of the BSDs' kind under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>
struct job {
    int value;
    TAILQ_ENTRY(job) link;
};
static TAILQ_HEAD(jobs, job) jobs = TAILQ_HEAD_INITIALIZER(jobs);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job one = { .value = 1 }, two = { .value = 2 };
static void *put(void *arg) {
    pthread_mutex_lock(&lock);
    TAILQ_INSERT_TAIL(&jobs, (struct job *)arg, link);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t, u;
    struct job *j;
    int sum = 0, n = 0;
    pthread_create(&t, 0, put, &one);
    pthread_create(&u, 0, put, &two);
    pthread_join(t, 0);
    pthread_join(u, 0);
    TAILQ_FOREACH(j, &jobs, link) sum += j->value;
    TAILQ_FOREACH_REVERSE(j, &jobs, jobs, link) n++;
    assert(sum == 3 && n == 2);
    while ((j = TAILQ_FIRST(&jobs)))
        TAILQ_REMOVE(&jobs, j, link);
    assert(TAILQ_EMPTY(&jobs));
    return 0;
}
