#include <string.h>
int main(void) {
    char a[4] = {0}, b[3];
    memcpy(b, a, 3);
    return 0;
}
