#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(2);
    p[0] = 'a';
    p[1] = 'b';
    p = realloc(p, 4);
    p[3] = 'd';
    assert(p[0] == 'a' && p[1] == 'a' && p[3] == 'd');
    p = realloc(p, 1);
    assert(p[0] == 'a');
    free(p);
    char *q = realloc(0, 3);
    q[2] = 1;
    free(q);
    return 0;
}
