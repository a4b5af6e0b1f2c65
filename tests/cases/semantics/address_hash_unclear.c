// A table of locks that is indexed by addresses: who shares a lock depends on the layout.
#include <stdint.h>
void reach_error(void);
static int a, b;
static unsigned place_of(int *p) { return ((uintptr_t)p >> 4) % 8; }
int main(void) {
    if (place_of(&a) != place_of(&b))
        reach_error();
    return 0;
}
