/* A byte of a large block that was never written: any value, also one that is not zero. The block has
   had cells before it turned out to be too large for them. */
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

unsigned char *block;
int at, found;

void *search(void *arg)
{
    at = __VERIFIER_nondet_int();
    __VERIFIER_assume(at >= 0 && at < 20000);
    found = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    block = malloc(20000);
    pthread_create(&id, 0, search, 0);
    pthread_join(id, 0);
    if (found && block[at] != 0)
        reach_error();
    return 0;
}
