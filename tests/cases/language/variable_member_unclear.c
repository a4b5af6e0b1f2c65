// A member of variable size (GNU): not modelled where it is reached.
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
    assert(last(2) == 3);
    return 0;
}
