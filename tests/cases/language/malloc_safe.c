#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->value = i;
        head = n;
    }
    assert(head->next->value == 1);
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
