/* Random numbers: any value of the range, whatever the seed. The seed of `rand_r` is the caller's own
 * memory: it is replaced by another one (an arbitrary value, not an input).
 */
int __VERIFIER_nondet_int(void);

static int any(void)
{
    return __VERIFIER_nondet_int() & 0x7fffffff;
}

int rand(void)
{
    return any();
}

int rand_r(unsigned *seed)
{
    unsigned next;
    *seed = next;
    return any();
}

long random(void)
{
    return any();
}

long lrand48(void)
{
    return any();
}

long mrand48(void)
{
    return __VERIFIER_nondet_int();
}

void srand(unsigned seed)
{
}

void srandom(unsigned seed)
{
}

void srand48(long seed)
{
}

unsigned arc4random(void)
{
    return __VERIFIER_nondet_int();
}
