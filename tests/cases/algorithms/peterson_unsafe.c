// Right under sequential consistency; its plain accesses race all the same.
#include <assert.h>
#include <pthread.h>
static int flag[2], turn, inside;
static void *worker(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    flag[me] = 1;
    turn = me;
    while (flag[other] && turn == other)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    flag[me] = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)1L);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
