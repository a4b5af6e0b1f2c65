// As reference_count, without an acquire: the end of the block and the uses of others are not ordered.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references, uses;
};

static void drop(struct shared *s)
{
    if (atomic_fetch_sub_explicit(&s->references, 1, memory_order_release) == 1)
        free(s);
}

void *user(void *p)
{
    struct shared *s = p;
    atomic_fetch_add_explicit(&s->uses, 1, memory_order_relaxed);
    drop(s);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct shared *s = malloc(sizeof *s);
    if (!s)
        return 0;
    atomic_init(&s->references, 2);
    atomic_init(&s->uses, 0);
    pthread_create(&t, 0, user, s);
    atomic_fetch_add_explicit(&s->uses, 1, memory_order_relaxed);
    drop(s);
    pthread_join(t, 0);
    return 0;
}
