#include <assert.h>
static int calls;
static int hit(int r) { calls++; return r; }
int main(void) {
    int *null = 0;
    if (null && *null)
        calls = 100;
    int a = hit(0) && hit(1);
    int b = hit(1) || hit(0);
    assert(a == 0 && b == 1);
    assert(calls == 2);
    return 0;
}
