/* All threads of the first phase are joined before the second one. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void) {}

int x;

void *first(void *arg)
{
    x = 1;
    return 0;
}

void *second(void *arg)
{
    if (x)
        reach_error();
    return 0;
}

int main(void)
{
    pthread_t ids[10], id;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 10);
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], 0, first, 0);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], 0);
    x = 0;
    for (int i = 0; i < n; i++)
        pthread_create(&id, 0, second, 0);
    return 0;
}
