// Conversion to _Bool compares with zero; it does not truncate.
#include <assert.h>
#include <stdbool.h>
int main(void) {
    int x = 256;
    bool b = x;
    unsigned char c = x;
    assert(b == true);
    assert(c == 0);
    return 0;
}
