#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* A thread leaves that was not let in. No locks, and any number of threads up to 1000. */
unsigned users;
int closed;
static int enter(void)
{
    int in;
    __VERIFIER_atomic_begin();
    in = !closed;
    if (in)
        users++;
    __VERIFIER_atomic_end();
    return in;
}
void *user(void *arg)
{
    enter();
    {
        __VERIFIER_atomic_begin();
        assert(users > 0);
        users--;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void)
{
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 1000; i++)
        pthread_create(&t, 0, user, 0);
    closed = 1;
    return 0;
}
