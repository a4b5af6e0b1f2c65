/* Where a way that has started a thread meets one that has not, both count. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int value;

void *idle(void *arg)
{
    return 0;
}

void *reader(void *arg)
{
    assert(value != 5);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    if (__VERIFIER_nondet_int())
        pthread_create(&a, 0, idle, 0);
    else
        value = 5;
    pthread_create(&b, 0, reader, 0);
    return 0;
}
