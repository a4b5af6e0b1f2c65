#include <limits.h>
int main(void) {
    int x = INT_MIN, y = 0;
    return x - y == 3;
}
