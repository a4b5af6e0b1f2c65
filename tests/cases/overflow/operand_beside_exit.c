// The sum may be computed before the process ends. Ours comes behind, which is an assumption.
#include <limits.h>
#include <stdlib.h>

static int stop(void) { exit(0); }

int main(void) {
    int x = INT_MAX;
    return stop() + (x + 1);
}
