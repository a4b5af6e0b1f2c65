// What memcpy does with blocks that overlap is undefined.
#include <assert.h>
#include <string.h>

int main(void) {
    char text[8] = "abcdefg";
    memcpy(text + 1, text, 4);
    assert(text[4] == 'd');
    return 0;
}
