// `mode` means the same wherever it may stand: in type names, casts, old parameters, for each declarator.
#include <assert.h>

typedef int __attribute__((mode(DI))) eight;
int __attribute__((mode(QI))) a, b;
int c __attribute__((mode(QI))), d;

int old(n)
int n __attribute__((mode(QI)));
{
    return sizeof n;
}

int main(void) {
    assert(sizeof(eight) == 8 && sizeof a == 1 && sizeof b == 1 && sizeof c == 1 && sizeof d == 4);
    assert(sizeof(int __attribute__((mode(DI)))) == 8);
    assert((int __attribute__((mode(QI))))300 == 44);
    assert(old(1) == 1);
    return 0;
}
