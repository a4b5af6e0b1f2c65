//   obmc check examples/message_passing.c --property unreach-call     SAFE: who sees the flag sees the data
//   obmc check examples/message_passing.c     UNSAFE: flag is a plain int: a data race
#include <assert.h>
#include <pthread.h>

int data, flag;

void *producer(void *unused)
{
    data = 7;
    flag = 1;
    return 0;
}

void *consumer(void *unused)
{
    if (flag)
        assert(data == 7);
    return 0;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    return 0;
}
