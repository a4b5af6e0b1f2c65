// A hardened Boolean is stored as other numbers than 0 and 1.
#include <assert.h>

typedef char __attribute__((hardbool(0x5a, 0xa5))) flag;

int main(void) {
    flag f = 1;
    assert(*(unsigned char *)&f == 1);
    return 0;
}
