/* A register of a device at a fixed address, which is no object of the program: an execution ends there. */
#include <assert.h>
#include <pthread.h>

#define STATUS ((volatile unsigned *)0x4002100000000000)

static int ready;

static void *poll(void *arg)
{
    if (*STATUS & 1)
        ready = 1;
    return arg;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, poll, 0);
    assert(ready == 0 || ready == 1);
    return 0;
}
