/* Nothing is freed. */
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *_Atomic top;
int main(void)
{
    struct node *a = malloc(sizeof *a), *seen = a;
    atomic_store(&top, a);
    atomic_compare_exchange_strong(&top, &seen, (struct node *)0);

    return 0;
}
