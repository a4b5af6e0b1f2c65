// Nothing says that a char lies at an even address.
#include <assert.h>
static char c;
int main(void) {
    assert(((unsigned long)&c & 1) == 0);
    return 0;
}
