#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* Fischer's protocol with a clock: who writes is quick, who looks waits. */
unsigned now, s1, s2;
int owner, w1, w2, in;
void *clock(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(!w1 || now - s1 < 2);
        __VERIFIER_assume(!w2 || now - s2 < 2);
        now = now + 1;
        __VERIFIER_atomic_end();
    }
}
void *one(void *arg)
{
    while (1) {
        unsigned d;
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(owner == 0);
        s1 = now;
        w1 = 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        owner = 1;
        w1 = 0;
        d = now;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(now - d > 2 && now - d < 1000);
        __VERIFIER_atomic_end();
        if (owner == 1) {
            in++;
            assert(in == 1);
            in--;
            owner = 0;
        }
    }
}
void *two(void *arg)
{
    while (1) {
        unsigned d;
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(owner == 0);
        s2 = now;
        w2 = 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        owner = 2;
        w2 = 0;
        d = now;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(now - d > 2 && now - d < 1000);
        __VERIFIER_atomic_end();
        if (owner == 2) {
            in++;
            assert(in == 1);
            in--;
            owner = 0;
        }
    }
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, clock, 0);
    pthread_join(a, 0);
    return 0;
}
