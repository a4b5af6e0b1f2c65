/* Only the way without a thread lets the pointer point to what main writes. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int mine, other;
int *target = &other;

void *idle(void *arg)
{
    return 0;
}

void *writer(void *arg)
{
    *target = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    if (__VERIFIER_nondet_int())
        pthread_create(&a, 0, idle, 0);
    else
        target = &mine;
    pthread_create(&b, 0, writer, 0);
    mine = 2;
    return 0;
}
