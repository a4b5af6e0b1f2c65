#include <assert.h>
#include <stdatomic.h>
static atomic_bool b;
static atomic_char c;
static atomic_schar sc;
static atomic_uchar uc;
static atomic_short s;
static atomic_ushort us;
static atomic_long l;
static atomic_ulong ul;
static atomic_llong ll;
static atomic_ullong ull;
static atomic_size_t z;
static atomic_intptr_t ip;
static _Atomic(int *) p;
static int x;
int main(void) {
    atomic_store(&b, 5);
    uc--;
    us = 65535;
    us++;
    atomic_fetch_sub(&ull, 1);
    atomic_fetch_add(&z, 2);
    atomic_store(&p, &x);
    *p = 3;
    assert(b == 1 && uc == 255 && us == 0 && ull == -1ull && z == 2);
    assert(x == 3);
    assert(c + sc + s + l + ul + ll + ip == 0);
    return 0;
}
