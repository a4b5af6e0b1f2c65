// A carry that is not looked at.
#include <assert.h>
#include <stdckdint.h>
alignas(16) static int total;
static thread_local bool seen;
#ifdef NEVER
#error "not here"
#elifndef NEVER
static int *where = nullptr;
#endif
int main(void) {
    assert(!seen && where == nullptr);
    seen = true;
    where = &total;
    assert(seen != false && ckd_add(where, 2147483647, 1));
    assert(total > 0);
    return 0;
}
