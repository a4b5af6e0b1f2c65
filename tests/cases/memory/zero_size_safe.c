#include <stdlib.h>
int main(void) {
    char *p = malloc(0);

    free(p);
    return 0;
}
