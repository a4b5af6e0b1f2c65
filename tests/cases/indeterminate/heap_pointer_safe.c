// Null says that there is no next one.
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
    p->next = 0;
    int v = p->next ? p->next->value : p->value;
    free(p);
    return v;
}
