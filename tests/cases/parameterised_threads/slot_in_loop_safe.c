/* The slot was given a number before the first thread was started. */
#include <pthread.h>
#include <stddef.h>

void reach_error(void) {}

void *work(void *arg)
{
    if (*(int *)arg > 12)
        reach_error();
    return NULL;
}

int main(void)
{
    pthread_t id;
    int slot;
    for (int i = 0; i < 13; i++) {
        slot = i;
        pthread_create(&id, NULL, work, &slot);
    }
    pthread_join(id, NULL);
    return 0;
}
