#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
static void *worker(void *arg) {
    head = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    struct node *n = malloc(sizeof *n);
    n->next = malloc(sizeof *n);
    n->next->next = 0;
    head = n;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
