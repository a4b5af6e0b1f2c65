// `||` sequences: the process ends before the sum is computed.
#include <limits.h>
#include <stdlib.h>

static int stop(void) { exit(0); }

int main(void) {
    int x = INT_MAX;
    return stop() || x + 1;
}
