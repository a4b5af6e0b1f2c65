// An initialiser stores members, too.
#include <assert.h>

struct __attribute__((scalar_storage_order("big-endian"))) net {
    int length;
};

int main(void) {
    struct net n = {1};
    assert(*(char *)&n == 1);
    return 0;
}
