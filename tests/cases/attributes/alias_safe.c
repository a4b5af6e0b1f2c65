#include <assert.h>

static int counter;
static void original(void) { counter++; }
void other(void) __attribute__((alias("original")));
int value = 1;
extern int same __attribute__((alias("value")));
int labelled(void) __asm__("target");
int target(void) { return 4; }

int main(void) {
    other();
    original();
    assert(counter == 2);
    same = 2;
    assert(value == 2);
    assert(labelled() == 4);
    return 0;
}
