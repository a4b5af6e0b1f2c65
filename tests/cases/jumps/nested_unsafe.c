// The outer context is reached once for each turn.
#include <assert.h>
#include <setjmp.h>
static jmp_buf outer, inner;
static int steps;
static void deep(int n)
{
    if (n == 0)
        longjmp(inner, 1);
    deep(n - 1);
}
static void (*dive)(int) = deep;
static void middle(void)
{
    if (setjmp(inner) != 0) {
        steps = steps * 10 + 1;
        longjmp(outer, 9);
    }
    dive(2);
}
int main(void)
{
    for (volatile int i = 0; i < 2; i++) {
        if (setjmp(outer) == 0)
            middle();
        else
            steps = steps * 10 + 2;
    }
    assert(steps == 12);
    return 0;
}
