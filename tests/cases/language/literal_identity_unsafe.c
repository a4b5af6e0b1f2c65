#include <assert.h>

int main(void) {
    const char *a = "one", *b = "two";
    assert(a == b);
    return 0;
}
