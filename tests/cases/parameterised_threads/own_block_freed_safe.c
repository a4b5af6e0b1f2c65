#include <pthread.h>
#include <stdlib.h>
/* Each of many threads frees its block. */
void *worker(void *arg)
{
    int *numbers = malloc(4 * sizeof(int));
    numbers[0] = 1;
    free(numbers);
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    for (int i = 0; i < argc; i++) {
        pthread_create(&thread, 0, worker, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
