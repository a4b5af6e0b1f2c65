/* Texts from outside: what the library says about errors and signals, and variables of the environment.
 *
 * Idea: a text is any bytes up to a zero, which are symbols until somebody looks. Those of the library have
 * up to 63 bytes (glibc's longest has 49); each thread has one buffer for them, which the next call fills
 * again. Where such a text is only read up to its end (touch.c) nothing needs to be chosen.
 * A variable of the environment is not set, or has up to 15 bytes (lower/open.rs), and stays as it is. What it
 * holds is chosen once, in `values`, and each thread that asks gets a copy of its own: so nobody races.
 */
_Bool __VERIFIER_nondet_bool(void);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_fill(void *block, unsigned long size);
_Noreturn void __obmc_unsupported(const char *what);

enum { TEXT = 64, VARIABLES = 8, NAME = 32, VALUE = 16, RELAXED = 0 };

static __thread char text[TEXT];

const char *__obmc_library_text(void)
{
    return text;
}

static char *any_text(void)
{
    __obmc_fill(text, TEXT);
    text[TEXT - 1] = 0;
    return text;
}

char *strerror(int error)
{
    return any_text();
}

char *strsignal(int signal)
{
    return any_text();
}

static char names[VARIABLES][NAME];
static char values[VARIABLES][VALUE];
static char is_set[VARIABLES];
static int known;
static __thread char copies[VARIABLES][VALUE];
static __thread char is_copied[VARIABLES];

static int is_name(int variable, const char *name)
{
    int i = 0;
    while (i < NAME && name[i] && __atomic_load_n(&names[variable][i], RELAXED) == name[i])
        i++;
    return i < NAME && !name[i] && !__atomic_load_n(&names[variable][i], RELAXED);
}

static void remember(int variable, const char *name)
{
    for (int i = 0; name[i]; i++) {
        if (i == NAME - 1)
            __obmc_unsupported("getenv of a long name");
        __atomic_store_n(&names[variable][i], name[i], RELAXED);
    }
    for (int i = 0; i < VALUE - 1; i++) {
        char any;
        __atomic_store_n(&values[variable][i], any, RELAXED);
    }
    __atomic_store_n(&is_set[variable], __VERIFIER_nondet_bool(), RELAXED);
    __atomic_store_n(&known, variable + 1, RELAXED);
}

static int find(const char *name)
{
    int variable = 0;
    __obmc_atomic_begin();
    int all = __atomic_load_n(&known, RELAXED);
    while (variable < all && !is_name(variable, name))
        variable++;
    if (variable == VARIABLES)
        __obmc_unsupported("more than 8 variables of the environment");
    if (variable == all)
        remember(variable, name);
    __obmc_atomic_end();
    return variable;
}

char *getenv(const char *name)
{
    int variable = find(name);
    if (!__atomic_load_n(&is_set[variable], RELAXED))
        return 0;
    if (!is_copied[variable])
        for (int i = 0; i < VALUE; i++)
            copies[variable][i] = __atomic_load_n(&values[variable][i], RELAXED);
    is_copied[variable] = 1;
    return copies[variable];
}
