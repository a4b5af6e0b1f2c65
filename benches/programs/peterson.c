// Peterson's lock for two threads, which busy-wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 40

atomic_int wants[2], turn;
int inside, counter;

void *enter(void *who)
{
    int me = who != 0;
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, 1 - me);
        while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me)
            ;
        inside++;
        assert(inside == 1);
        counter++;
        inside--;
        atomic_store(&wants[me], 0);
    }
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, enter, &counter);
    enter(0);
    pthread_join(other, 0);
    assert(counter == 2 * ROUNDS);
    return 0;
}
