#include <pthread.h>
#include <assert.h>
/* A sequence lock whose number does not wrap around: a copy that was not disturbed is whole. */
unsigned seq, a, b;
void *writer(void *arg)
{
    while (seq < 4000000000) {
        seq = seq + 1;
        a = a + 1;
        b = b + 1;
        seq = seq + 1;
    }
    return 0;
}
void *reader(void *arg)
{
    while (1) {
        unsigned before, x, y;
        before = seq;
        if (before % 2 == 1)
            continue;
        x = a;
        y = b;
        if (seq != before)
            continue;
        assert(x == y);
    }
}
int main(void)
{
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
