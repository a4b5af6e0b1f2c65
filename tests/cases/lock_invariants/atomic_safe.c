/* An atomic block is as good as a lock that all take. */
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
        y++;
        __VERIFIER_atomic_end();
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
