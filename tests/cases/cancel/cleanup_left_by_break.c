#include <assert.h>
#include <pthread.h>

static int runs;

static void count(void *by)
{
    runs++;
}

/* The block of the push is a loop for those who write `break`, and it is left without its pop. */
int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_cleanup_push(count, 0);
        if (i == 1)
            break;
        pthread_cleanup_pop(1);
    }
    assert(runs == 1);
    return 0;
}
