/* Thread-specific values.
 *
 * Idea: a key is an index into a small array that every thread has, and into the common array of
 * destructors. Keys are handed out in order and not used again after pthread_key_delete, so a new
 * key is null in every thread without any work.
 *
 * Invariant: keys below `created` exist. At the end of a thread each non-null value with a
 * destructor is set to null and given to it, again and again while destructors store new values, at
 * most 4 times over, as POSIX says. All accesses to the common words are relaxed atomics: creating a
 * key orders nothing that the program could rely on, and our own array must not race.
 * A thread starts in run_thread; its parameters travel in a heap block that it frees.
 * Destructors run in the order of their keys, as in glibc; POSIX leaves it open (lower/open.rs).
 * Cost: get and set touch thread-local memory, and what says which keys there are: constants if all
 * are made before the first thread starts. More than 128 keys are not modelled.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
int __obmc_linked(const char *name);
_Noreturn void __obmc_unsupported(const char *what);
unsigned long __obmc_spawn(unsigned long *place, void *(*function)(void *), void *arg);
void *__obmc_alloc(unsigned long size, int zeroed);
void __obmc_free(void *block);

enum { KEYS = 128, ROUNDS = 4, RELAXED = 0, E_INVAL = 22 };

typedef void (*destructor)(void *);

static unsigned created;
static destructor destructors[KEYS];
static int deleted[KEYS];
static __thread void *values[KEYS];

static int was_deleted(unsigned key)
{
    if (__obmc_linked("pthread_key_delete") | __obmc_linked("tss_delete"))
        return __atomic_load_n(&deleted[key], RELAXED);
    return 0;
}

static int exists(unsigned key)
{
    return key < __atomic_load_n(&created, RELAXED) && !was_deleted(key);
}

int pthread_key_create(unsigned *key, destructor function)
{
    __obmc_atomic_begin();
    unsigned fresh = __atomic_load_n(&created, RELAXED);
    if (fresh >= KEYS)
        __obmc_unsupported("more than 128 thread-specific keys");
    __atomic_store_n(&destructors[fresh], function, RELAXED);
    __atomic_store_n(&created, fresh + 1, RELAXED);
    __obmc_atomic_end();
    *key = fresh;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    int error = E_INVAL;
    __obmc_atomic_begin();
    if (exists(key)) {
        __atomic_store_n(&deleted[key], 1, RELAXED);
        __atomic_store_n(&destructors[key], 0, RELAXED);
        error = 0;
    }
    __obmc_atomic_end();
    return error;
}

void *pthread_getspecific(unsigned key)
{
    return key < KEYS && !was_deleted(key) ? values[key] : 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    if (!exists(key))
        return E_INVAL;
    values[key] = (void *)value;
    return 0;
}

static int destroy_values(unsigned keys)
{
    int found = 0;
    for (unsigned key = 0; key < keys; key++) {
        void *value = values[key];
        destructor function = value ? __atomic_load_n(&destructors[key], RELAXED) : 0;
        if (function) {
            found = 1;
            values[key] = 0;
            function(value);
        }
    }
    return found;
}

void __obmc_run_key_destructors(void)
{
    unsigned keys = __atomic_load_n(&created, RELAXED);
    for (int round = 0; round < ROUNDS && destroy_values(keys); round++)
        ;
}

struct start {
    void *(*function)(void *);
    void *arg;
};

static void *run_thread(void *parameters)
{
    struct start start = *(struct start *)parameters;
    __obmc_free(parameters);
    void *value = start.function(start.arg);
    __obmc_run_key_destructors();
    return value;
}

unsigned long __obmc_start_thread_with_keys(unsigned long *place, void *(*function)(void *),
                                            void *arg)
{
    struct start *parameters = __obmc_alloc(sizeof(struct start), 0);
    parameters->function = function;
    parameters->arg = arg;
    return __obmc_spawn(place, run_thread, parameters);
}
