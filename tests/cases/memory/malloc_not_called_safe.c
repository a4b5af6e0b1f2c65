// An allocation that no execution gets to is no assumption.
#include <stdlib.h>

void *unused(void) { return malloc(1); }

int main(void) { return 0; }
