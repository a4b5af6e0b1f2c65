// A block that nobody frees: whether something leads to it in the end is not asked of weak memory.
#include <pthread.h>
#include <stdlib.h>

int *kept;

void *keeper(void *p)
{
    kept = malloc(sizeof *kept);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, keeper, 0);
    pthread_join(t, 0);
    return 0;
}
