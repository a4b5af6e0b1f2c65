#include <stdlib.h>
static int *p;
int main(void) {
    p = malloc(4);
    free(p);
    p = 0;
    return 0;
}
