#include <assert.h>
extern int *somewhere(void);
int x;
int main(void) {
    int *p = somewhere();
    *p = 1;
    assert(x != 0);
    return 0;
}
