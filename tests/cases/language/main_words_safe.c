/* What main is called with is said on the command line. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char **words;

static void *work(void *unused)
{
    words[1][0] = '7';
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc < 2)
        return 1;
    words = argv;
    assert(argv[argc] == 0 && strcmp(argv[0], "prog") == 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(atoi(argv[1]) == 72);
    return 0;
}
