#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* A ticket lock for 3 threads; tickets wrap around. */
enum { N = 3 };
unsigned next, serving;
int in;
void *worker(void *arg)
{
    while (1) {
        unsigned mine;
        __VERIFIER_atomic_begin();
        mine = next;
        next = next + 1;
        __VERIFIER_atomic_end();
        while (serving > mine)
            ;
        in++;
        assert(in == 1);
        in--;
        serving = serving + 1;
    }
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
