/* One thread sleeps for as long as another one is just setting. */
#include <pthread.h>
#include <time.h>

struct timespec pause_time;

void *worker(void *arg)
{
    nanosleep(&pause_time, 0);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pause_time.tv_nsec = 1000;
    return 0;
}
