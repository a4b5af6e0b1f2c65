// The block must have room for all elements.
#include <stdio.h>

int main(void) {
    int block[2];
    fread(block, sizeof *block, 3, stdin);
    return 0;
}
