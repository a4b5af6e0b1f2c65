/* Structs that are read, written and exchanged as a whole. */
#include <stdatomic.h>
void out(long long);
struct p { short a, b; };
_Atomic struct p x;
int main(void) {
    struct p v = {1, 2};
    x = v;
    struct p u = x;
    out(u.a); out(u.b);
    u = atomic_load(&x); out(u.b);
    struct p n = {3, 4};
    atomic_store(&x, n);
    u = atomic_exchange(&x, v); out(u.a);
    struct p e = {1, 2};
    out(atomic_compare_exchange_strong(&x, &e, n));
    e.a = 9;
    out(atomic_compare_exchange_strong(&x, &e, v)); out(e.a); out(e.b);
    struct p *q = &v, old;
    __atomic_load(q, &old, __ATOMIC_ACQUIRE); out(old.b);
    __atomic_store(q, &n, __ATOMIC_RELEASE); out(q->b);
    __atomic_exchange(q, &old, &u, __ATOMIC_ACQ_REL); out(u.b); out(q->b);
    out(__atomic_compare_exchange(q, &old, &n, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); out(q->a);
    return 0;
}
