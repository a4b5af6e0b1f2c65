#include <assert.h>
static volatile int device = 4;
static const int limit = 3;
int main(void) {
    const volatile int *p = &device;
    int a = *p;
    device = a + limit;
    assert(*p == 7);
    return 0;
}
