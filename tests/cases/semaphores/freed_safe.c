// Who has waited for the last post may throw the semaphore away.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t *s;
static void *worker(void *arg) {
    sem_post(s);
    return 0;
}
int main(void) {
    pthread_t t;
    s = malloc(sizeof *s);
    sem_init(s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_wait(s);
    sem_destroy(s);
    free(s);
    pthread_join(t, 0);
    return 0;
}
