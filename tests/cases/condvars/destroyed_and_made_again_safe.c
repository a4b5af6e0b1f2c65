// Initialised again, it can be used again.
#include <pthread.h>
int main(void)
{
    pthread_cond_t c;
    pthread_cond_init(&c, 0);
    pthread_cond_destroy(&c);
    pthread_cond_init(&c, 0);
    pthread_cond_broadcast(&c);
    pthread_cond_destroy(&c);
    return 0;
}
