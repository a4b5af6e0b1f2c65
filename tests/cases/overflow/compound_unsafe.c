#include <limits.h>
int main(void) {
    int x = INT_MIN + 5;
    x -= 6;
    return 0;
}
