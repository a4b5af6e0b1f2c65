// Words that are keywords since C23, without the headers that made them before.
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
    assert(seen != false && !ckd_add(where, 40, 2));
    assert(total == 42);
    return 0;
}
