// A function without a body may return a pointer to memory of its own, or of ours: to use it is not
// undefined, so nothing is proven.
#include <assert.h>
extern int *somewhere(void);
int x;
int main(void) {
    int *p = somewhere();
    *p = 1;
    assert(x == 0);
    return 0;
}
