/* Random numbers: any value of the range, whatever the seed. The seed of `rand_r` is the caller's own
 * memory: it is replaced by another one (an arbitrary value, not an input). Where a seed comes again,
 * the numbers would, too, and here they do not: nothing behind it is told.
 */
int __VERIFIER_nondet_int(void);
int __obmc_asked(const char *kind);
int __obmc_linked(const char *name);
int __obmc_repeated(const char *name);
void __obmc_roughly(const char *what);
_Noreturn void __obmc_unsupported(const char *what);

static int any(void)
{
    return __VERIFIER_nondet_int() & 0x7fffffff;
}

/* Of this thread: it is rare that others draw numbers before the seed is given. */
static __thread int drawn;

int rand(void)
{
    if (__obmc_linked("srand"))
        drawn = 1;
    return any();
}

/* Has the first seed come again? No seed follows on itself. */
static void compare_to_first(unsigned seed)
{
    static __thread unsigned first;
    static __thread int known;
    if (known) {
        if (first == seed)
            __obmc_roughly("`rand_r` returns any number for a seed that it has had before");
    } else {
        known = 1;
        first = seed;
    }
}

int rand_r(unsigned *seed)
{
    if (__obmc_repeated("rand_r"))
        compare_to_first(*seed);
    unsigned next;
    *seed = next;
    return any();
}

long random(void)
{
    return any();
}

/* One state for all threads, without a lock (glibc: race:drand48). */
static void use_state_of_48_bits(void)
{
    static int state;
    if (__obmc_asked("races"))
        state = 1;
}

long lrand48(void)
{
    use_state_of_48_bits();
    return any();
}

long mrand48(void)
{
    use_state_of_48_bits();
    return __VERIFIER_nondet_int();
}

/* The same seed would give the same numbers. */
static void seed_again(void)
{
    static int seeded;
    if (__atomic_exchange_n(&seeded, 1, 0))
        __obmc_unsupported("a second seed for random numbers");
}

/* Numbers without a seed are those of the seed 1. */
void srand(unsigned seed)
{
    if (drawn && seed == 1)
        __obmc_roughly("`rand` returns any number for a seed that it has had before");
    if (__obmc_linked("rand"))
        seed_again();
}

void srandom(unsigned seed)
{
    if (__obmc_linked("random"))
        seed_again();
}

void srand48(long seed)
{
    use_state_of_48_bits();
    if (__obmc_linked("lrand48") + __obmc_linked("mrand48"))
        seed_again();
}

unsigned arc4random(void)
{
    return __VERIFIER_nondet_int();
}
