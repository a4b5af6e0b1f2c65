// Without anything to do they are there for the linker, and mean what verifiers have them mean.
#include <pthread.h>
#include <assert.h>
static int x;
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
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
