#include <assert.h>
#include <stdatomic.h>
static int a[3];
int main(void) {
    int *_Atomic p = a;
    p += 2;
    assert(p == a + 2);
    p--;
    assert(p == &a[ 0 ]);
    return 0;
}
