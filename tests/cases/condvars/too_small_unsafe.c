#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_cond_t *c = calloc(1, sizeof *c - 1);
    pthread_cond_broadcast(c);
    free(c);
    return 0;
}
