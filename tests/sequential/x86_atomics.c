void out(long long);
typedef unsigned char byte;
#if defined(__x86_64__) || defined(__i386__)
static void inc(int *p) { __asm__ volatile("lock; incl %0" : "+m"(*p)); }
static byte dec(int *p) {
    byte zero;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory");
    return zero;
}
static void add(int *p, int n) { __asm__ volatile("lock addl %1,%0" : "=m"(*p) : "ir"(n), "m"(*p)); }
static void sub(int *p, int n) { __asm__ volatile("lock subl %1,(%0)" : : "r"(p), "r"(n) : "memory", "cc"); }
static void or5(int *p) { __asm__ volatile("lock\n\torl $5, %[it]" : [it] "+m"(*p)); }
static void and(int *p, int n) { __asm__ volatile("lock; andl %1,%0" : "+m"(*p) : "r"(n)); }
static int xadd(int *p, int n) {
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory", "cc");
    return n;
}
static int xchg(int *p, int n) {
    int old;
    __asm__ volatile("xchgl %0, %1" : "=r"(old), "+m"(*p) : "0"(n) : "memory");
    return old;
}
static int cas(int *p, int old, int new) {
    int was;
    __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(was), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return was;
}
static byte swapped(int *p, int old, int new) {
    byte ok;
    __asm__ volatile("lock cmpxchgl %3, %1\n\tsete %0" : "=q"(ok), "+m"(*p), "+a"(old) : "r"(new) : "memory");
    return ok;
}
static void incb(byte *p) { __asm__ volatile("lock; incb %0" : "+m"(*p)); }
#else
static void inc(int *p) { ++*p; }
static byte dec(int *p) { return !--*p; }
static void add(int *p, int n) { *p += n; }
static void sub(int *p, int n) { *p -= n; }
static void or5(int *p) { *p |= 5; }
static void and(int *p, int n) { *p &= n; }
static int xadd(int *p, int n) { *p += n; return *p - n; }
static int xchg(int *p, int n) { int old = *p; *p = n; return old; }
static int cas(int *p, int old, int new) { int was = *p; if (was == old) *p = new; return was; }
static byte swapped(int *p, int old, int new) { if (*p != old) return 0; *p = new; return 1; }
static void incb(byte *p) { ++*p; }
#endif
int main(void) {
    int x = 1;
    byte b = 255;
    inc(&x);
    out(x);
    out(dec(&x));
    out(dec(&x));
    out(x);
    add(&x, -7);
    out(x);
    sub(&x, 100);
    out(x);
    and(&x, 0xf0);
    or5(&x);
    out(x);
    out(xadd(&x, 10));
    out(x);
    out(xchg(&x, 3));
    out(x);
    out(cas(&x, 3, 4));
    out(x);
    out(cas(&x, 3, 5));
    out(x);
    out(swapped(&x, 4, 6));
    out(swapped(&x, 4, 7));
    out(x);
    incb(&b);
    out(b);
    return 0;
}
