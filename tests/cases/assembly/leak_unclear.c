#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    int n;
    __asm__("rdtsc" : "=a"(n) : : "edx");
    if (n != 7)
        free(p);
    p = 0;
    return 0;
}
