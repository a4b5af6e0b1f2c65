/* Each thread draws the number of its element. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data[100], next;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int mine;
    pthread_mutex_lock(&m);
    mine = next;
    next++;
    pthread_mutex_unlock(&m);
    data[mine] = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    return 0;
}
