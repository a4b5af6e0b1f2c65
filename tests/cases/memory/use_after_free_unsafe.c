#include <stdlib.h>
int main(void) {
    char *p = malloc(1);

    free(p);
    *p = 1;
    return 0;
}
