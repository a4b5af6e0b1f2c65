// One thread closes the stream that another one uses.
#include <pthread.h>
#include <stdio.h>

FILE *f;

void *worker(void *arg)
{
    fputs("text", f);
    return 0;
}

int main(void)
{
    pthread_t t;
    f = fopen("w", "w");
    if (!f)
        return 1;
    pthread_create(&t, 0, worker, 0);
    fclose(f);
    pthread_join(t, 0);
    return 0;
}
