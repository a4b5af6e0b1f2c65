/* Both functions of the table are called, and nothing else. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void reach_error(void) {}

void good(void) {}
void bad(void) { good(); }

void (*table[])(void) = {good, bad};

void *work(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 2);
    table[i]();
    return NULL;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, work, NULL);
    return 0;
}
