/* A work-stealing deque (Chase and Lev) with the orders of Lê, Pop, Cohen and Zappa Nardelli: the owner's
   take and a thief's steal each have a full fence between the two ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NOTHING (-1)

atomic_int top, bottom;
atomic_int tasks[2];
atomic_int taken[2];

static void push(int task)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&tasks[b], task, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t > b) {
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        return NOTHING;
    }
    int task = atomic_load_explicit(&tasks[b], memory_order_relaxed);
    if (t == b) {
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            task = NOTHING;
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return task;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NOTHING;
    int task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return NOTHING;
    return task;
}

static void work(int task)
{
    if (task != NOTHING)
        assert(atomic_exchange_explicit(&taken[task], 1, memory_order_relaxed) == 0); // not twice
}

void *thief(void *unused)
{
    work(steal());
    work(steal());
    return 0;
}

int main(void)
{
    pthread_t t;
    push(0);
    push(1);
    pthread_create(&t, 0, thief, 0);
    work(take());
    pthread_join(t, 0);
    return 0;
}
