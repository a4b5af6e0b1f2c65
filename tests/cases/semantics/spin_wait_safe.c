#include <pthread.h>
extern void reach_error(void);
static int flag, data;
static void *worker(void *arg) {
    data = 1;
    flag = 1;
    data = 1;

    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!flag)
        ;
    if (data != 1)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
