#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    p = 0;
    free(p);
    return 0;
}
