#include <assert.h>

static int counter;
static void original(void) { counter++; }
void other(void) __attribute__((alias("original")));

int main(void) {
    other();
    assert(counter == 0);
    return 0;
}
