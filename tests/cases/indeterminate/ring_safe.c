// The consumer takes what is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE 2

struct ring {
    int slot[SIZE];
    atomic_uint head, tail;
} *r;
int last;

static void *produce(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        unsigned t = r->tail;
        if (t - r->head == SIZE)
            break;
        r->slot[t % SIZE] = i;
        r->tail = t + 1;
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        unsigned h = r->head;
        if (h == r->tail)
            break;
        last = r->slot[h % SIZE];
        int v = r->slot[h % SIZE];
        r->head = h + 1;
        assert(v != 77);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    r = malloc(sizeof *r);
    r->head = 0;
    r->tail = 0;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(r);
    return 0;
}
