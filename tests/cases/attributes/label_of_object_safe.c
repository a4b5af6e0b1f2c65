// Two names with one label are one object.
#include <assert.h>
int w;
extern int v __asm__("w");
int main(void)
{
    v = 1;
    assert(w == 1);
    return 0;
}
