#include <assert.h>

int hook(void) __attribute__((weak));
int hook(void) { return 3; }
extern int unused_hook(void) __attribute__((weak));

int main(void) {
    assert(hook && hook() == 3);
    return 0;
}
