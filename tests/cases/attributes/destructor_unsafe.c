#include <assert.h>
#include <stdlib.h>

static int busy;

__attribute__((destructor)) static void end(void) { assert(!busy); }

int main(void) {
    busy = 1;
    exit(0);
}
