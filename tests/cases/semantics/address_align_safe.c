// What is asked to be aligned is.
#include <assert.h>
static _Alignas(64) char line[64];
static int number;
int main(void) {
    assert(((unsigned long)line & 63) == 0);
    assert((unsigned long)&line[5] % 64 == 5);
    assert(((unsigned long)&number & 3) == 0);
    return 0;
}
