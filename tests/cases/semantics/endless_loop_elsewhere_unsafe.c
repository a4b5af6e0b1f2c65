#include <pthread.h>
extern void reach_error(void);
static void *spin(void *arg) {
    for (;;)
        ;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);

    reach_error();
    return 0;
}
