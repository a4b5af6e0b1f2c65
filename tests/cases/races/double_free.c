// Two threads free one block: that is no data race, but nothing can be said after it.
#include <pthread.h>
#include <stdlib.h>

int *block;

void *work(void *unused)
{
    free(block);
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, work, 0);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
