// Chase and Lev's deque: the owner works at the bottom, a thief steals from the top.
//   obmc check examples/work_stealing_deque.c              SAFE
//   obmc check examples/work_stealing_deque.c -DBROKEN     UNSAFE: the last task is done twice
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
#define NOTHING (-1)

atomic_int top, bottom;
atomic_int tasks[SIZE];
int done[2]; // by the owner, by the thief

static void push(int task)
{
    int b = atomic_load(&bottom);
    atomic_store(&tasks[b % SIZE], task);
    atomic_store(&bottom, b + 1);
}

static int take(void)
{
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b);
    int t = atomic_load(&top);
    if (t > b) { // empty
        atomic_store(&bottom, b + 1);
        return NOTHING;
    }
    int task = atomic_load(&tasks[b % SIZE]);
    if (t == b) { // the last one: the thief may want it, too
#ifndef BROKEN
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            task = NOTHING;
#endif
        atomic_store(&bottom, b + 1);
    }
    return task;
}

static int steal(void)
{
    int t = atomic_load(&top);
    int b = atomic_load(&bottom);
    if (t >= b)
        return NOTHING;
    int task = atomic_load(&tasks[t % SIZE]);
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? task : NOTHING;
}

void *thief(void *unused)
{
    int task = steal();
    if (task != NOTHING)
        done[1] |= 1 << task;
    return 0;
}

int main(void)
{
    pthread_t t;
    push(0);
    push(1);
    pthread_create(&t, 0, thief, 0);
    for (int i = 0; i < 2; i++) {
        int task = take();
        if (task != NOTHING)
            done[0] |= 1 << task;
    }
    pthread_join(t, 0);
    assert((done[0] & done[1]) == 0);  // none twice
    assert((done[0] | done[1]) == 3);  // none forgotten
    return 0;
}
