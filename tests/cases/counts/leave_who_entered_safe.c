/* Who leaves has entered, by what enter() returned, not by the way alone. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int inside;

static int enter(void)
{
    int wants = __VERIFIER_nondet_int();
    __VERIFIER_atomic_begin();
    if (wants > 0)
        inside++;
    __VERIFIER_atomic_end();
    return wants;
}

static void *visitor(void *arg)
{
    if (enter() > 0) {
        __VERIFIER_atomic_begin();
        inside--;
        assert(inside >= 0);
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 8; i++)
        pthread_create(&t, 0, visitor, 0);
    return 0;
}
