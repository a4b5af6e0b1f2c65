// Where malloc puts a block is not for a proof to say.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    if (!p)
        return 0;
    if ((unsigned long)p > 305419896UL)
        abort();
    assert(0);
}
