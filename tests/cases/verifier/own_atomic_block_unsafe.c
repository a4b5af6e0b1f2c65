// The program's own functions, which are no borders of an atomic block.
#include <pthread.h>
#include <assert.h>
static int blocks, x;
void __VERIFIER_atomic_begin(void) { blocks++; }
void __VERIFIER_atomic_end(void) { blocks--; }
static void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    int seen = x;
    x = seen + 1;
    __VERIFIER_atomic_end();
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
