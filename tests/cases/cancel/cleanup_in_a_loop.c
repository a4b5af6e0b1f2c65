#include <assert.h>
#include <pthread.h>

static int runs;

static void count(void *by)
{
    runs++;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_cleanup_push(count, 0);
        for (;;)
            if (i < 2)
                break;
        pthread_cleanup_pop(1);
    }
    assert(runs == 2);
    return 0;
}
