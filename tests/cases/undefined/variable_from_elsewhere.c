// Another file has given the pointer a value.
#include <assert.h>
extern int *shared;
int x;
int main(void) {
    int v = *shared;
    assert(0 * v + x != 0);
    return 0;
}
