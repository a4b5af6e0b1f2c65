#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], turn;
static int inside;
extern void reach_error(void);
static void *worker(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    atomic_store(&flag[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
        ;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    atomic_store(&flag[me], 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)1L);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
