#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_cond_t *c = calloc(1, sizeof *c);
    pthread_cond_broadcast(c);
    free(c);
    return 0;
}
