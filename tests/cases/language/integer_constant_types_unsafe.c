#include <assert.h>
int main(void) {
    assert(sizeof(2147483647) == 4 && sizeof(2147483648) == 8);
    assert(sizeof(0xffffffff) == 4);
    assert(0xffffffff < 0);
    assert(-2147483648 < 0);
    assert(0b101 == 5 && 010 == 8 && 'a' == 97);
    return 0;
}
