// As `intervals_safe.c`, with a bound that is passed.
#include <assert.h>
#include <pthread.h>

int x;
int limit = 100;

void *up(void *arg)
{
    while (1) {
        int seen = x;
        if (seen < limit)
            x = seen + 1;
    }
    return 0;
}

void *look(void *arg)
{
    while (1) {
        int seen = x;
        assert(0 <= seen && seen < 6);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    return 0;
}
