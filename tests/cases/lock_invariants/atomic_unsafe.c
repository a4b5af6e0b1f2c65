/* One of the numbers is changed after the block. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

void *worker(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        assert(x == y);
        x++;
        __VERIFIER_atomic_end();
        y++;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
