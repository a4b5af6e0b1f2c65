/* A number that may be an address is still a number, and wraps around. */
#include <assert.h>
#include <stdint.h>

int __VERIFIER_nondet_int(void);

int object;

int main(void)
{
    uintptr_t value = __VERIFIER_nondet_int() ? (uintptr_t)&object : (uintptr_t)-1;
    value++;
    assert(value != 0);
    return 0;
}
