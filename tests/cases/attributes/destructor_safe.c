// Destructors run after main, the last one first, those with low numbers last.
#include <assert.h>
#include <stdlib.h>

static int step;
int choice(void);

__attribute__((destructor(101))) static void third(void) { assert(step == 3); }
__attribute__((destructor)) static void second(void) { assert(step++ == 2); }
__attribute__((destructor)) static void first(void) { assert(step++ == 1); }

int main(void) {
    step = 1;
    if (choice())
        exit(0);
    if (choice())
        _Exit(1);
    return 0;
}
