// A comma sequences: nothing is assigned before the jump.
#include <setjmp.h>

extern void reach_error(void);

static jmp_buf back;

static int leave(void) { longjmp(back, 1); }

int main(void) {
    int n = 0;
    if (setjmp(back) == 0)
        (void)(leave(), n = 9);
    else if (n != 0)
        reach_error();
    return 0;
}
