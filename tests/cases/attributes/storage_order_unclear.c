#include <assert.h>

struct __attribute__((scalar_storage_order("big-endian"))) net { int length; };

int main(void) {
    struct net n;
    n.length = 1;
    assert(*(char *)&n == 0);
    return 0;
}
