/* Not every way to the second store passes the first one. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void) {}

int entered, left;

void *visitor(void *arg)
{
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_int())
        entered++;
    __VERIFIER_atomic_end();
    if (left >= entered)
        reach_error();
    __VERIFIER_atomic_begin();
    left++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 3);
    for (int i = 0; i < n; i++)
        pthread_create(&id, 0, visitor, 0);
    return 0;
}
