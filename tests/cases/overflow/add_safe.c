#include <limits.h>
int main(void) {
    int x = INT_MAX - 1;
    x = x + 1;
    return 0;
}
