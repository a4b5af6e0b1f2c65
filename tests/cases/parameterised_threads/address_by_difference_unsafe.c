/* One address and the way from it to another make the other. */
#include <pthread.h>
#include <stdint.h>

int here, there;

void *worker(void *arg)
{
    there = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    uintptr_t way = (uintptr_t)&there - (uintptr_t)&here;
    pthread_create(&id, 0, worker, 0);
    *(int *)((uintptr_t)&here + way) = 2;
    return 0;
}
