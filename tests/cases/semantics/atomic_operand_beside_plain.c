// `flag` and `x` are read in any order: `x` may be read too early.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

atomic_int flag;
int x;

static void *writer(void *arg) {
    x = 1;
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (flag - x == 1)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
