// A port gives any byte, and a byte is enough to know.
#include <assert.h>
static unsigned char inb(unsigned short port) {
    unsigned char value;
    __asm__ volatile("inb %w1, %b0" : "=a"(value) : "Nd"(port));
    return value;
}
int main(void) {
    int table[16] = {0};
    unsigned char b = inb(0x60);
    assert(b <= 255);
    table[b >> 4]++;
    return table[b & 15];
}
