// The size of a variable is known by its name; u8'a' is an unsigned char (C23).
#include <assert.h>

int main(void) {
    int x = 1;
    char a[7];
    int *p = &x;
    assert(__builtin_object_size(&x, 0) == 4 && __builtin_object_size(a, 1) == 8);
    assert(__builtin_object_size(p, 0) >= 4 && __builtin_object_size(p, 2) <= 4);
    assert(u8'a' == 97 && sizeof u8'a' == 1 && u8'\xff' == 255);
    return 0;
}
