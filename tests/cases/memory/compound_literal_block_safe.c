// A compound literal lives as long as its block, and is one object there (C11 6.5.2.5).
#include <assert.h>

struct s {
    int i;
};

int main(void) {
    struct s *p = 0, *q;
    int j = 0;
again:
    q = p, p = &((struct s){j++});
    if (j < 2)
        goto again;
    assert(p == q && q->i == 1);
    int *last = 0, k = 0;
    while ((last ? *last : 0) < 3 && (last = &(int){k++}))
        ;
    return 0;
}
