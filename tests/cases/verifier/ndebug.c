// With NDEBUG assert does nothing, not even evaluate.
#define NDEBUG
#include <assert.h>
int main(void) {
    int x = 0;
    assert(x++ == 5);
    if (x != 0) {
#undef NDEBUG
#include <assert.h>
        assert(0);
    }
    return 0;
}
