/* Who drops the last reference frees: the counter orders the reads before it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct counted { atomic_int references; int value; };
static struct counted *p;
static void *uses(void *arg)
{
    int seen = p->value;
    if (atomic_fetch_sub(&p->references, 1) == 1)
        free(p);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    p = malloc(sizeof *p);
    atomic_init(&p->references, 2);
    p->value = 1;
    pthread_create(&a, 0, uses, 0);
    pthread_create(&b, 0, uses, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
