// Which of two blocks lies first is open; that ours lie in some order is an assumption.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(1), *q = malloc(1);
    if (!p || !q)
        return 0;
    assert(p < q || p > q);
    return 0;
}
