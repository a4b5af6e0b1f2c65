/* Behind an assumption that always fails there is no execution. */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

atomic_int flag;

int main(void)
{
    __VERIFIER_assume(flag);
    while (!flag)
        ;
    return 0;
}
