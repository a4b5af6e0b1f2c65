// Nobody has given `next` a value: reading through it is wrong, whatever its bits are.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->value = 1;
    int v = p->next->value;
    free(p);
    return v;
}
