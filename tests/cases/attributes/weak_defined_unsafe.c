#include <assert.h>

int __attribute__((weak)) hook(void) { return 3; }

int main(void) {
    assert(!hook || hook() == 2);
    return 0;
}
