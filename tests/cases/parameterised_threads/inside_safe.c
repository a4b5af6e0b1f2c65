/* Every access is inside of a global or of a slot that lives as long as main. */
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int table[16];

void *work(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 16);
    for (int k = 0; k < 3; k++)
        __atomic_fetch_add(&table[i], 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t ids[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
