/* Executions in which an assumption fails do not count, and do not end the loop. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

atomic_int flag;

int main(void)
{
    while (!flag) {
        int n = __VERIFIER_nondet_int();
        __VERIFIER_assume(n > 0);
    }
    return 0;
}
