/* Concurrency kit: a Treiber stack, two pushes and one pop at the same time. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void *push(void *entry)
{
    ck_stack_push_upmc(&stack, entry);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, push, &entries[1]);
    push(&entries[0]);
    ck_stack_entry_t *got = ck_stack_pop_upmc(&stack);
    pthread_join(other, 0);
    assert(got == &entries[0] || got == &entries[1]);
    assert(stack.head && stack.head != got && stack.head->next == NULL);
    return 0;
}
