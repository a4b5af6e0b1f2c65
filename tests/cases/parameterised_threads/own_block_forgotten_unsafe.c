#include <pthread.h>
#include <stdlib.h>
/* A thread waits for ever without the address of its block. */
void *worker(void *arg)
{
    int *numbers = malloc(4 * sizeof(int));
    numbers[0] = 1;
    numbers = 0;
    for (;;)
        ;
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    for (int i = 0; i < argc; i++) {
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
