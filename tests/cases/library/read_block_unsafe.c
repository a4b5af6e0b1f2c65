// fread gives any bytes, and fewer than asked for.
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned char block[2] = {1, 2};
    size_t n = fread(block, sizeof *block, 2, stdin);
    assert(n != 1 || block[0] != 77);
    return 0;
}
