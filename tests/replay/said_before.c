/* What fprintf returns is not used, so the trace has no value for it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int a, b;

static void *set(void *unused)
{
    a = 1;
    b = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    if (a != b) {
        fprintf(stderr, "%d and %d\n", a, b);
        assert(0);
    }
    return 0;
}
