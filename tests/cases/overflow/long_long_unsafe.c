#include <limits.h>
int main(void) {
    long long x = LLONG_MAX ;
    return x + 1 == 0;
}
