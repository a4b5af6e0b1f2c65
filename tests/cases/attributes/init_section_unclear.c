// What lies in this section runs before main.
#include <assert.h>
static int x;
static void hit(void) { x = 1; }
__attribute__((section(".init_array"), used)) static void (*const first)(void) = hit;
int main(void)
{
    assert(x == 0);
    return 0;
}
