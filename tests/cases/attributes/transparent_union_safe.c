// An argument of a member's type is passed as the union, by value.
#include <assert.h>

struct node { struct node *next; };
struct other { struct node node; int value; };
typedef union {
    struct node *plain;
    struct other *other;
} head __attribute__((transparent_union));

static struct node *get(head h) {
    struct node *found = h.plain;
    h.plain = 0;
    return found;
}

int main(void) {
    struct other o = {{0}, 3};
    struct node n = {&o.node};
    assert(get(&n) == &n);
    assert(get(&o) == &o.node);
    assert(get(&n)->next == &o.node);
    head made = {.other = &o};
    assert(get(made) == &o.node && made.other == &o);
    return 0;
}
