/* The same where one writer more would be needed: chance never shows what is not there. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static volatile int sum;
static volatile int wanted;

static void *look(void *arg)
{
    (void)arg;
    assert(sum <= wanted);
    return 0;
}

static void *add(void *arg)
{
    (void)arg;
    int old = sum;
    sum = old + 1;
    return 0;
}

int main(void)
{
    pthread_t reader, writer;
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n >= 3 && n < 5);
    wanted = n;
    pthread_create(&reader, 0, look, 0);
    for (unsigned i = 0; i < n; i++)
        pthread_create(&writer, 0, add, 0);
    return 0;
}
