/* What is stored to elements is found in elements as it was stored. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void reach_error(void) {}

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a[4];

void *work(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 4 && j < 4);
    pthread_mutex_lock(&lock);
    a[i] = 1;
    int found = a[j];
    pthread_mutex_unlock(&lock);
    if (found != 0 && found != 1)
        reach_error();
    return NULL;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, work, NULL);
    return 0;
}
