// memmove may overlap, and a copy of a block onto itself or right behind it does not.
#include <assert.h>
#include <string.h>

int main(void) {
    char text[8] = "abcdefg";
    memmove(text + 1, text, 4);
    assert(text[4] == 'd');
    memcpy(text + 4, text, 4);
    assert(text[7] == 'c');
    memcpy(text, text, 4);
    assert(text[0] == 'a');
    return 0;
}
