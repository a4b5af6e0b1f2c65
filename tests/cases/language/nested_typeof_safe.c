// The type of a type: `typeof` inside of `typeof`, of comparisons of types and of alignments.
#include <assert.h>
#include <stddef.h>
#define same_type(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define container_of(ptr, type, member)                                                            \
    ({                                                                                             \
        void *at = (void *)(ptr);                                                                  \
        _Static_assert(same_type(*(ptr), ((type *)0)->member) || same_type(*(ptr), void), "type"); \
        (type *)((char *)at - offsetof(type, member));                                             \
    })
struct node {
    long key;
    struct node *next;
};
int main(void) {
    struct node n = { .key = 1L << 40 };
    typeof(typeof(n.key)) copy = n.key;
    assert(copy == 1L << 40);
    assert(same_type(n.next, struct node *));
    assert(!same_type(n.key, int));
    assert(_Alignof(typeof(n.key)) == sizeof(long));
    assert(container_of(&n.next, struct node, next) == &n);
    return 0;
}
