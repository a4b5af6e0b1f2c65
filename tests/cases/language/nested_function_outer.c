// A function inside of a function that uses a variable of that is not modelled.
#include <assert.h>
int main(void) {
    int n = 1;
    int next(int x) { return x + n; }
    assert(next(1) == 2);
    return 0;
}
