/* No ticket is out twice. */
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void) {}

volatile unsigned next, serving;
volatile int inside;

/* Tickets 0, 1, 2 and again; 3 if all are out. */
static unsigned take(void)
{
    unsigned ticket = 3;
    __VERIFIER_atomic_begin();
    if ((next + 1) % 3 != serving) {
        ticket = next;
        next = (next + 1) % 3;
    }
    __VERIFIER_atomic_end();
    return ticket;
}

void *work(void *arg)
{
    unsigned mine = take();
    __VERIFIER_assume(mine != 3);
    while (serving != mine)
        ;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    serving = (serving + 1) % 3;
    return NULL;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, work, NULL);
    return 0;
}
