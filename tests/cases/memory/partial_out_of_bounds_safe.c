// The access begins inside of the object but does not end there.
#include <stdlib.h>
int main(void) {
    char *p = malloc(6);
    *(int *)(p + 0) = 1;
    free(p);
    return 0;
}
