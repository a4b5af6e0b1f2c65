#include <semaphore.h>
unsigned __VERIFIER_nondet_uint(void);
static sem_t s;
int main(void) {
    unsigned tokens = __VERIFIER_nondet_uint();
    sem_init(&s, 0, tokens % 1000);
    sem_wait(&s);
    return 0;
}
