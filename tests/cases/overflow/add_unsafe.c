#include <limits.h>
int main(void) {
    int x = INT_MAX ;
    x = x + 1;
    return 0;
}
