// C leaves open whether `n = 9` comes before the jump; if it does, `n` is indeterminate afterwards.
#include <setjmp.h>

extern void reach_error(void);

static jmp_buf back;

static int leave(void) { longjmp(back, 1); }

static int both(int a, int b) { return a + b; }

int main(void) {
    int n = 0;
    if (setjmp(back) == 0)
        both(leave(), n = 9);
    else if (n != 0)
        reach_error();
    return 0;
}
