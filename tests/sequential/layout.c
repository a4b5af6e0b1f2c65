#include <stddef.h>
void out(long long);
struct a { char c; short s; char d; int i; char e; };
struct b { char c; long l; char d; long long ll; void *p; };
struct c { struct a a; char x; struct b b; double d; float f; };
struct __attribute__((packed)) d { char c; int i; short s; long long l; };
union e { char c[5]; short s; int i; };
struct f { char c; union e e; char d; };
struct g { int n; char data[]; };
struct h { char c; struct { char d; double e; }; };
struct i { char c __attribute__((aligned(16))); char d; };
int main(void) {
    out(sizeof(struct a)); out(offsetof(struct a, s)); out(offsetof(struct a, i)); out(offsetof(struct a, e));
    out(sizeof(struct b)); out(offsetof(struct b, l)); out(offsetof(struct b, ll)); out(offsetof(struct b, p));
    out(sizeof(struct c)); out(offsetof(struct c, b)); out(offsetof(struct c, d)); out(offsetof(struct c, f));
    out(sizeof(struct d)); out(offsetof(struct d, l));
    out(sizeof(union e)); out(sizeof(struct f)); out(offsetof(struct f, d));
    out(sizeof(struct g)); out(offsetof(struct g, data));
    out(sizeof(struct h)); out(offsetof(struct h, e));
    out(sizeof(struct i)); out(offsetof(struct i, d));
    out(offsetof(struct c, b.ll));
    out(_Alignof(short)); out(_Alignof(struct a)); out(_Alignof(struct b)); out(_Alignof(void *));
    return 0;
}
