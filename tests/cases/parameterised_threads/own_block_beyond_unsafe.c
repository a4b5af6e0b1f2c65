#include <pthread.h>
#include <stdlib.h>
/* Threads without end, each with a block of its own that is too small. */
void *worker(void *arg)
{
    for (;;) {
        int *numbers = malloc(4 * sizeof(int));
        for (int i = 0; i < 5; i++)
            numbers[i] = i;
        int sum = numbers[0] + numbers[3];
        free(numbers);
        if (sum == 3)
            break;
    }
    return 0;
}
int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
