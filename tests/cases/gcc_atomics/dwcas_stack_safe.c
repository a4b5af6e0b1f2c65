// A lock-free stack whose head is a pointer and a count, exchanged together.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct node { struct node *next; int value; };
struct head { struct node *top; uintptr_t count; } __attribute__((aligned(16)));
static struct head stack;
static struct node nodes[2] = {{0, 1}, {0, 2}};

static void push(struct node *n) {
    struct head old, new;
    __atomic_load(&stack, &old, __ATOMIC_ACQUIRE);
    do {
        n->next = old.top;
        new.top = n;
        new.count = old.count + 1;
    } while (!__atomic_compare_exchange(&stack, &old, &new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

static void *run(void *arg) {
    push(arg);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, &nodes[0]);
    push(&nodes[1]);
    pthread_join(t, 0);
    assert(stack.count == 2);
    assert(stack.top->value + stack.top->next->value == 3);
    return 0;
}
