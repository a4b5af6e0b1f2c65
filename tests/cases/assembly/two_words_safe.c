// Two words are read and exchanged at once: one is twice the other at all times.
#include <assert.h>
#include <pthread.h>

typedef unsigned long word;

static word pair[2] __attribute__((aligned(16)));

static int exchange(word *target, word *expected, word *wanted)
{
    char done;
    __asm__ __volatile__("movq 0(%4), %%rax;"
                         "movq 8(%4), %%rdx;"
                         "lock cmpxchg16b %0; setz %1"
                         : "+m"(*target), "=q"(done)
                         : "b"(wanted[0]), "c"(wanted[1]), "q"(expected)
                         : "memory", "cc", "%rax", "%rdx");
    return done;
}

static void load(const word *target, word *value)
{
    __asm__ __volatile__("movq %%rdx, %%rcx;"
                         "movq %%rax, %%rbx;"
                         "lock; cmpxchg16b %2;"
                         : "=a"(value[0]), "=d"(value[1])
                         : "m"(*target)
                         : "rbx", "rcx", "memory", "cc");
}

static void *add(void *unused)
{
    word old[2], new[2];
    do {
        load(pair, old);
        new[0] = old[0] + 1;
        new[1] = old[1] + 2;
    } while (!exchange(pair, old, new));
    return unused;
}

int main(void)
{
    pthread_t other;
    word seen[2];
    pthread_create(&other, 0, add, 0);
    add(0);
    load(pair, seen);
    assert(2 * seen[0] == seen[1]);
    pthread_join(other, 0);
    assert(pair[0] == 2);
    return 0;
}
