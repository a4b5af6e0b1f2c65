// In a mixed comparison the signed operand becomes unsigned.
#include <assert.h>
int main(void) {
    int minus = -1;
    unsigned one = 1;
    assert(minus < one);
    assert((long long)minus < one);
    return 0;
}
