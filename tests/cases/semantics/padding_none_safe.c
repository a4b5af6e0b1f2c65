// Every byte belongs to a member.
#include <assert.h>
#include <string.h>

struct whole { short c, d; int i; };

int main(void) {
    struct whole x;
    memset(&x, 0, sizeof x);
    x.c = 1;
    const unsigned char *bytes = (const unsigned char *)&x;
    assert(bytes[2] == 0);
    return 0;
}
