// A signal touches the condition variable, whether somebody waits or not.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_cond_t *c = malloc(sizeof *c);
    pthread_cond_init(c, 0);
    pthread_cond_signal(c);
    free(c);
    return 0;
}
