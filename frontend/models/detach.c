/* Which threads were detached or joined: doing so again is an error.
 *
 * Idea: two bits per thread id. Linked only into programs that both detach and join, or detach at
 * several places.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
_Noreturn void __obmc_unsupported(const char *what);

static unsigned long long detached;
static unsigned long long joined;

static unsigned long long bit(unsigned long thread)
{
    if (thread > 63)
        __obmc_unsupported("detaching more than 63 threads");
    return 1ull << thread;
}

/* Gives whether it was detached before. */
int __obmc_set_detached(unsigned long thread)
{
    unsigned long long mask = bit(thread);
    __obmc_atomic_begin();
    unsigned long long before = __atomic_load_n(&detached, 0);
    __atomic_store_n(&detached, before | mask, 0);
    __obmc_atomic_end();
    return (before & mask) != 0;
}

int __obmc_is_detached(unsigned long thread)
{
    unsigned long long mask = bit(thread);
    __obmc_atomic_begin();
    unsigned long long now = __atomic_load_n(&detached, 0);
    __obmc_atomic_end();
    return (now & mask) != 0;
}

void __obmc_set_joined(unsigned long thread)
{
    unsigned long long mask = bit(thread);
    __obmc_atomic_begin();
    __atomic_store_n(&joined, __atomic_load_n(&joined, 0) | mask, 0);
    __obmc_atomic_end();
}

int __obmc_is_joined(unsigned long thread)
{
    unsigned long long mask = bit(thread);
    __obmc_atomic_begin();
    unsigned long long now = __atomic_load_n(&joined, 0);
    __obmc_atomic_end();
    return (now & mask) != 0;
}
