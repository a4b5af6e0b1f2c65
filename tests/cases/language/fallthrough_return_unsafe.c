#include <assert.h>
#include <limits.h>
#include <stdint.h>
static int8_t clip(int x) { return x; }
static uint16_t wide(int8_t x) { return x; }
int main(void) {
    assert(clip(200) == 200);
    assert(wide(-1) == UINT16_MAX);
    assert(INT_MAX + 1u == 2147483648u && CHAR_BIT == 8);
    return 0;
}
