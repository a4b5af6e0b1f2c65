// A store to a member leaves padding open (C11 6.2.6.1p6): what a byte of it holds is an assumption.
#include <assert.h>
#include <string.h>

struct padded { char c; int i; };

int main(void) {
    struct padded x;
    memset(&x, 0, sizeof x);
    x.c = 1;
    const unsigned char *bytes = (const unsigned char *)&x;
    assert(bytes[1] == 0);
    return 0;
}
