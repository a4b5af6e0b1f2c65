#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* A barrier with a sense: phases never differ by more than one. */
int count, sense;
unsigned p1, p2;
static void barrier(int *mine)
{
    int last = 0;
    *mine = !*mine;
    __VERIFIER_atomic_begin();
    count = count + 1;
    if (count == 2) {
        count = 0;
        sense = *mine;
        last = 1;
    }
    __VERIFIER_atomic_end();
    if (!last)
        while (sense != *mine)
            ;
}
void *one(void *arg)
{
    int mine = 0;
    while (1) {
        p1 = p1 + 1;
        barrier(&mine);
        assert(p2 - p1 <= 1);
    }
}
void *two(void *arg)
{
    int mine = 0;
    while (1) {
        p2 = p2 + 1;
        barrier(&mine);
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
