#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* Up and down again. */
unsigned x, y;
void *one(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        x++;
        y++;
        __VERIFIER_atomic_end();
    }
}
void *two(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        if (x > 0) {
            x--;
            if (x == 0)
                y++;
            y--;
        }
        assert(x == y);
        __VERIFIER_atomic_end();
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
