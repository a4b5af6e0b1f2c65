/* Two threads look at one array, each at a place of its own choice. */
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int table[100000];
static int seen[2];
static unsigned where[2];
static void *look(void *arg) {
    unsigned me = *(unsigned *)arg;
    where[me] = __VERIFIER_nondet_uint();
    if (where[me] < 100000)
        seen[me] = table[where[me]];
    return 0;
}
int main(void) {
    pthread_t a, b;
    unsigned zero = 0, one = 1;
    pthread_create(&a, 0, look, &zero);
    pthread_create(&b, 0, look, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen[0] == seen[1]);
    return 0;
}
