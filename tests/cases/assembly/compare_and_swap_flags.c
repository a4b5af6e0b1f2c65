// A lock by cmpxchg with a flag as its output, released by a mov, on memory that is called a char.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static unsigned lock;
static int count;

static bool swap(void *target, unsigned compare, unsigned set)
{
    bool done;
    __asm__ __volatile__("lock cmpxchgl %3, %0"
                         : "+m"(*(char *)target), "=@ccz"(done), "+a"(compare)
                         : "q"(set)
                         : "memory", "cc");
    return done;
}

static void store(void *target, unsigned value)
{
    __asm__ __volatile__("movl %1, %0" : "=m"(*(char *)target) : "q"(value) : "memory");
}

static void *add(void *unused)
{
    while (!swap(&lock, 0, 1))
        __asm__ __volatile__("pause" ::: "memory");
    count++;
    store(&lock, 0);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(count == 2);
    return 0;
}
