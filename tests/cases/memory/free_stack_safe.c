#include <stdlib.h>
int main(void) {
    int x = 0;
    int *p = malloc(4);
    free(p);
    return x;
}
