/* That another counter moves on does not make it another round for the index. */
#include <pthread.h>

int cells[2];

void *worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    int steps = 0;
    for (int i = 0; i < 2; i++) {
        pthread_create(&id, 0, worker, &cells[i]);
        steps++;
        cells[i] = steps;
    }
    return 0;
}
