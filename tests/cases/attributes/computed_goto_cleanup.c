// gcc does not clean up what a computed goto leaves.
#include <assert.h>
static int x;
static void clean(int *p) { x += *p; }
static int leave(int n)
{
    void *const targets[] = {&&inside, &&outside};
    {
        __attribute__((cleanup(clean))) int i = 2;
        goto *targets[n];
    inside:
        x += 10;
    }
outside:
    return x;
}
int main(void)
{
    leave(1);
    assert(x == 2);
    return 0;
}
