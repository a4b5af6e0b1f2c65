// Nobody closes the end that is written: the reader waits for ever.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg)
{
    char byte;
    while (read(ends[0], &byte, 1) == 1)
        ;
    return arg;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) < 0)
        return 1;
    pthread_create(&thread, 0, reader, 0);
    write(ends[1], "x", 1);
    pthread_join(thread, 0);
    return 0;
}
