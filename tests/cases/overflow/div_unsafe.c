#include <limits.h>
int main(void) {
    int x = INT_MIN, y = -1;
    return x / y == 5;
}
