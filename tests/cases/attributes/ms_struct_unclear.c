// Where its bit-fields are is another compiler's business.
#include <assert.h>

struct __attribute__((ms_struct)) fields {
    char a : 1;
    int b : 1;
};

int main(void) {
    struct fields f;
    f.a = 0;
    f.b = 1;
    assert(*(unsigned char *)&f == 2);
    return 0;
}
