#include <assert.h>

struct node { int value; };
typedef union { struct node *plain; void *any; } head __attribute__((transparent_union));

static int get(head h) { return h.plain->value; }

int main(void) {
    struct node n = {4};
    assert(get(&n) == 3);
    return 0;
}
