// A member of variable size (GNU): of no consequence where nobody comes.
#include <assert.h>

static int last(int n) {
    struct {
        int row[n];
        int end;
    } s;
    s.end = 3;
    return s.end;
}

int main(void) {
    int n = 2;
    assert(n == 2 || last(n) == 3);
    return 0;
}
