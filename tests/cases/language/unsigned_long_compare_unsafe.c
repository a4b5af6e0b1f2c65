// -1L against 1u: long holds every unsigned value only in LP64.
#include <assert.h>
int main(void) {
    assert(!(-1L < 1u));
    return 0;
}
