#include <assert.h>
int main(void) {
    double zero = 0.0;
    double nan = zero / zero, inf = 1.0 / zero;
    assert(nan != nan);
    assert(!(nan < 1.0) && !(nan > 1.0));
    assert(inf > 1e308 && -inf < inf);
    assert(-zero == zero);
    return 0;
}
