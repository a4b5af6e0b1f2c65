// A name with the label of a function that the lowering knows.
#include <assert.h>
void leave(int status) __asm__("exit");
int main(void)
{
    leave(0);
    assert(0);
}
