// The violation comes first.
#include <assert.h>
int main(void) {
    int n = 2147483647, a[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            assert(a[1] == 1);
        a[i & 1]++;
        if (i == 2)
            n++;
    }
    __asm__ volatile("outb %b0, %w1" : : "a"(n), "Nd"(0x60));
    return 0;
}
