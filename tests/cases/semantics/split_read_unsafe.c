// Two reads of a shared variable in one expression may see two values.
#include <pthread.h>
extern void reach_error(void);
static int x;
static void *worker(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int y = x;
    if (x != x)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
