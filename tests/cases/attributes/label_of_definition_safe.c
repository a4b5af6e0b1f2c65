// Two names with one label are one function.
#include <assert.h>
static int x;
void hit(void) __asm__("real_hit");
void other(void) __asm__("real_hit");
void hit(void) { x = 1; }
int main(void)
{
    other();
    assert(x == 1);
    return 0;
}
