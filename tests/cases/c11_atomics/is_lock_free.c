#include <assert.h>
#include <stdatomic.h>
int main(void) {
    atomic_int x = 0;
    _Bool free = atomic_is_lock_free(&x);
    assert(free == 0 || free == 1);
    assert(kill_dependency(3) == 3);
    return 0;
}
