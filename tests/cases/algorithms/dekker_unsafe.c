#include <assert.h>
#include <pthread.h>
static int wants[2], turn, inside;
static void *worker(void *arg) {
    int me = (int)(long)arg, other = 1 - me;

    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    wants[me] = 1;
    inside = me;
    assert(inside == me);
    turn = other;
    wants[me] = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)1L);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
