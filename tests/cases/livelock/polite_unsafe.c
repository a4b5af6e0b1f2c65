/* Two threads that always give way to each other, and nobody who wants it goes first. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;

void enter(int me)
{
    wants[me] = 1;
    while (wants[!me]) {
        wants[me] = 1;
    }
    wants[me] = 0;
}

void *one(void *arg)
{
    enter(0);
    return 0;
}

void *other(void *arg)
{
    enter(1);
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
