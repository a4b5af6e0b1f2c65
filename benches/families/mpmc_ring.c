/* N threads each put and take K times at a ring of two cells with turns (Vyukov): nothing is taken twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef K
#define K 1
#endif
#define SIZE 2

static struct {
    atomic_uint turn;
    int value;
} cells[SIZE];
static atomic_uint head, tail;
static atomic_int taken[N * K];

static void put(int value)
{
    unsigned at = atomic_load(&tail);
    for (;;) {
        unsigned turn = atomic_load(&cells[at % SIZE].turn);
        if (turn == at) {
            if (atomic_compare_exchange_strong(&tail, &at, at + 1))
                break;
        } else {
            at = atomic_load(&tail);
        }
    }
    cells[at % SIZE].value = value;
    atomic_store(&cells[at % SIZE].turn, at + 1);
}

static int take(void)
{
    unsigned at = atomic_load(&head);
    for (;;) {
        unsigned turn = atomic_load(&cells[at % SIZE].turn);
        if (turn == at + 1) {
            if (atomic_compare_exchange_strong(&head, &at, at + 1))
                break;
        } else {
            at = atomic_load(&head);
        }
    }
    int value = cells[at % SIZE].value;
    atomic_store(&cells[at % SIZE].turn, at + SIZE);
    return value;
}

static void *work(void *arg)
{
    int first = (int)((atomic_int *)arg - taken);
    for (int i = 0; i < K; i++) {
        put(first + i);
        assert(atomic_fetch_add(&taken[take()], 1) == 0);
    }
    return 0;
}

int main(void)
{
    pthread_t ids[N];
    for (unsigned i = 0; i < SIZE; i++)
        atomic_store(&cells[i].turn, i);
    for (int i = 0; i < N; i++)
        pthread_create(&ids[i], 0, work, &taken[i * K]);
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    return 0;
}
