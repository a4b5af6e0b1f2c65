#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* x is a large number and the difference of two numbers from 0 to n. */
int n, x = 0x7ffffffe;
void *up(void *arg)
{
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        x++;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *down(void *arg)
{
    for (int j = 0; j < n; j++) {
        __VERIFIER_atomic_begin();
        x--;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, down, 0);
    return 0;
}
