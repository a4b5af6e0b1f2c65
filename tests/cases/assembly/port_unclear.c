// What the port gives is invented: nothing behind it is shown as a violation.
#include <assert.h>
static unsigned char inb(unsigned short port) {
    unsigned char value;
    __asm__ volatile("inb %w1, %b0" : "=a"(value) : "Nd"(port));
    return value;
}
int main(void) {
    int table[16] = {0};
    unsigned char b = inb(0x60);
    assert(b != 42);
    table[b >> 3]++;
    return 0x7fffff00 + b;
}
