#include <assert.h>
#define KIND(x) _Generic((x), char: 1, int: 2, long: 3, double: 4, char *: 5, default: 6)
int main(void) {
    char c = 0;
    assert(KIND(c) == 1 && KIND(+c) == 1 && KIND('a') == 2);
    assert(KIND(1.0) == 4 && KIND("s") == 5 && KIND(1u) == 6);
    return 0;
}
