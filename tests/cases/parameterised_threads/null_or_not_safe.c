/* Either is an object. */
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int y;
int x;

int *choose(int c) { return c ? &x : &y; }

void *work(void *arg)
{
    int *p = choose(__VERIFIER_nondet_int());
    __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
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
