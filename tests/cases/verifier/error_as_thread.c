#include <pthread.h>

void reach_error(void)
{
}

static void *worker(void *on_end)
{
    ((void (*)(void))on_end)();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)reach_error);
    pthread_join(t, 0);
    return 0;
}
