// gcc knows the types of its builtins without a declaration.
#include <assert.h>
int main(void)
{
    char text[4];
    assert(__builtin___memcpy_chk(text, "xy", 3, 4) == text && text[1] == 'y');
    assert(__builtin_stpcpy(text, "ab") == text + 2);
    assert(__builtin_floor(1.5) == 1.0);
    return 0;
}
