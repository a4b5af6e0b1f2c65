// Streams are opened, used and closed; one that stays open is no lost memory.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

void *worker(void *arg)
{
    FILE *f = fopen("w", "w");
    if (f) {
        fputs("text", f);
        fclose(f);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    FILE *f = fopen("a", "r"), *g = fopen("b", "r");
    pthread_create(&t, 0, worker, 0);
    assert(!f || f != g);
    if (f)
        fprintf(f, "%d\n", 1);
    f = 0;
    if (g)
        fclose(g);
    pthread_join(t, 0);
    return 0;
}
