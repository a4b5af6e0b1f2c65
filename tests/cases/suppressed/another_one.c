// A counter may race, says a comment. What stands beside it does, too.
#include <pthread.h>

static int hits;
static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    hits++; // obmc: race-ok: statistics only

    shared++;

    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    return 0;
}
