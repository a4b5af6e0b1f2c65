#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static int x;
static void *worker(void *arg) {
    x = 1;
    abort();
    x = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (x == 1)
        reach_error();
    return 0;
}
