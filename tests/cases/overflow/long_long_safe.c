#include <limits.h>
int main(void) {
    long long x = LLONG_MAX - 1;
    return x + 1 == 0;
}
