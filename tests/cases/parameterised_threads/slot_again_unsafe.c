/* A local of a second round is a new object: what the first one held is gone. */
#include <assert.h>
#include <pthread.h>

void *reader(void *arg)
{
    assert(*(int *)arg != 7);
    return 0;
}

int main(void)
{
    pthread_t id;
    for (int i = 0; i < 2; i++) {
        int value;
        if (i == 0)
            value = 1;
        pthread_create(&id, 0, reader, &value);
        pthread_join(id, 0);
    }
    return 0;
}
