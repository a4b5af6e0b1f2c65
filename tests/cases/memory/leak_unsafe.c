#include <stdlib.h>
static int *p;
int main(void) {
    p = malloc(4);

    p = 0;
    return 0;
}
