/* The end of a block's life is a write of it: nothing orders it against the read. */
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *reads(void *arg) { int seen = *p; return 0; }
static void *frees(void *arg) { free(p); return 0; }
int main(void)
{
    pthread_t a, b;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&a, 0, reads, 0);
    pthread_create(&b, 0, frees, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
