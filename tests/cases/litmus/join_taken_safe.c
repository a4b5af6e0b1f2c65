/* What was joined has happened. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x;

void *t1(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int joined = 0;
    pthread_create(&t, 0, t1, 0);
    if (__VERIFIER_nondet_int()) {
        pthread_join(t, 0);
        joined = 1;
    }
    assert(!joined || x == 1);
    return 0;
}
