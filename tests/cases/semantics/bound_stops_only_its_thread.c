// A thread that is cut off at the bound does not hide what happens elsewhere.
#include <pthread.h>
extern void reach_error(void);
static int x;
static void *worker(void *arg) {
    for (int i = 0; i < 3; i++)
        x++;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (x == 1)
        reach_error();
    return 0;
}
