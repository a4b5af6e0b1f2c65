// Literals that cannot share their bytes are apart, and `__func__` is one object.
#include <assert.h>

const char *name(void) { return __func__; }

int main(void) {
    const char *a = "one", *b = "two", *same = a;
    assert(a != b);
    assert(a == same);
    assert(name() == name());
    assert(__func__ == __func__);
    return 0;
}
