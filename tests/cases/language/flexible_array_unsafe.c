#include <assert.h>
#include <stdlib.h>
struct blob { int n; char data[]; };
int main(void) {
    struct blob *b = malloc(sizeof *b + 3);
    b->n = 3;
    for (int i = 0; i < b->n; i++)
        b->data[i] = i;
    assert(sizeof *b == 4 && b->data[2] == 3);
    free(b);
    return 0;
}
