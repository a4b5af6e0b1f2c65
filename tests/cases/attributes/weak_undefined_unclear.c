// Whether a weak function is there is not for the program to say.
#include <assert.h>

int hook(void) __attribute__((weak));

int main(void) {
    assert(hook);
    return 0;
}
