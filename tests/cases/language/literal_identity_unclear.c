// Whether equal literals, or one that is the tail of another, are one object is open.
#include <assert.h>

int main(void) {
    const char *a = "tail", *b = "a tail";
    assert(a != b + 2);
    return 0;
}
