/* An index may be out of bounds; no other execution gets to the error. */
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int a[4], x;

void *work(void *arg)
{
    x = 1;
    a[__VERIFIER_nondet_int()] = 1;
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    while (1)
        if (x == 3)
            reach_error();
}
