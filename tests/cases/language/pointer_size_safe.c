#include <assert.h>
#include <stdint.h>
struct s { char c; void *p; };
int main(void) {
    assert(sizeof(void *) == 8);
    assert(sizeof(struct s) == 2 * sizeof(void *));
    assert(sizeof(intptr_t) == sizeof(void *) && sizeof(long) == sizeof(void *));
    return 0;
}
