// Where overflow is not the property, signed arithmetic wraps.
#include <assert.h>
#include <limits.h>
int main(void) {
    int x = INT_MAX;
    x = x + 1;
    assert(x == INT_MIN);
    return 0;
}
