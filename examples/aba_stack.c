// A lock-free stack of indices that falls for ABA: the top looks the same, and is not.
//   obmc check examples/aba_stack.c             UNSAFE: a node is popped twice
//   obmc check examples/aba_stack.c -DFIXED     SAFE: every change of the top has a new version
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define VERSION 256
#else
#define VERSION 0
#endif
#define INDEX(word) ((word) % 256)

atomic_uint top;     // index of the first node, 0 if there is none; above it the version
atomic_uint next[3]; // next[i]: the node below node i

static void push(unsigned node)
{
    unsigned old = atomic_load(&top), new;
    do {
        atomic_store(&next[node], INDEX(old));
        new = old - INDEX(old) + node + VERSION;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static unsigned pop(void)
{
    unsigned old = atomic_load(&top), new;
    do {
        if (INDEX(old) == 0)
            return 0;
        unsigned below = atomic_load(&next[INDEX(old)]);
        new = old - INDEX(old) + below + VERSION;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return INDEX(old);
}

void *taker(void *unused)
{
    pop();
    return 0;
}

unsigned kept; // popped and not given back

void *returner(void *unused)
{
    unsigned first = pop();
    kept = pop();
    if (first != 0)
        push(first);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    push(2);
    push(1);
    pthread_create(&t, 0, taker, 0);
    pthread_create(&u, 0, returner, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    unsigned left = pop();
    assert(left == 0 || left != kept);
    return 0;
}
