// A function that returns a struct is left by a jump; each frame has its own context.
#include <assert.h>
#include <setjmp.h>
struct pair {
    long a, b, c;
};
static jmp_buf *newest;
static struct pair fail(void) { longjmp(*newest, 3); }
static struct pair make(int n)
{
    jmp_buf own, *before = newest;
    struct pair result = { 1, n, 0 };
    newest = &own;
    if (setjmp(own) == 0) {
        if (n == 0)
            return fail();
        struct pair inner = make(n - 1);
        newest = before;
        return inner;
    }
    newest = before;
    return result;
}
int main(void)
{
    struct pair p = make(2);
    assert(p.a == 1 && p.b == 0);
    return 0;
}
