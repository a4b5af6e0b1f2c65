// The race of a flag is let be. It orders nothing, so what it hands over races, too.
#include <pthread.h>

static int flag, data;

static void *give(void *unused)
{
    data = 1;
    flag = 1; // obmc: race-ok: a flag
    return 0;
}

int main(void)
{
    pthread_t giver;
    pthread_create(&giver, 0, give, 0);
    if (flag) // obmc: race-ok: a flag
        data = 2;
    pthread_join(giver, 0);
    return 0;
}
