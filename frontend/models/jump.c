/* Non-local jumps.
 *
 * Idea: each setjmp in the text has a word in its frame, which the lowering passes as a further
 * argument and whose address stands for the place (analysis/src/jumps). The buffer keeps it. longjmp
 * makes it the target of its thread and returns; the lowering takes it from there, and clears the
 * target when the place is reached.
 *
 * Invariant: the word counts the executions of setjmp in its thread, so that a buffer that an earlier
 * execution has filled is recognised: what locals held then is not remembered any more. To read the
 * word of a frame that has ended is an invalid access. Signal masks are not restored.
 */
unsigned long __obmc_self(void);
int __obmc_linked(const char *name);
unsigned long __obmc_open_cleanups(void);
_Noreturn void __obmc_unsupported(const char *what);

/* As large as in <setjmp.h>; glibc fills the first part, too. */
struct context {
    unsigned long *word;
    unsigned long count;
    unsigned long thread;
    unsigned long cleanups;
    unsigned long unused[sizeof(long) == 8 ? 4 : 2];
    int mask_was_saved;
    unsigned long mask[128 / sizeof(long)];
};

__thread void *__obmc_jump_target;
__thread int __obmc_jump_value;
static __thread unsigned long saved;

static unsigned long open_cleanups(void)
{
    if (__obmc_linked("_pthread_cleanup_push") | __obmc_linked("__pthread_register_cancel"))
        return __obmc_open_cleanups();
    return 0;
}

static int save(struct context *context, unsigned long *word)
{
    *word = ++saved;
    context->word = word;
    context->count = saved;
    context->thread = __obmc_self();
    context->cleanups = open_cleanups();
    context->mask_was_saved = 0;
    context->mask[128 / sizeof(long) - 1] = 0;
    return 0;
}

static void jump(struct context *context, int value)
{
    if (context->thread != __obmc_self())
        __obmc_unsupported("longjmp to what this thread has not saved by setjmp");
    if (*context->word != context->count)
        __obmc_unsupported("longjmp to a setjmp that was executed again since");
    if (context->cleanups != open_cleanups())
        __obmc_unsupported("longjmp out of or into pthread_cleanup_push");
    __obmc_jump_value = value ? value : 1;
    __obmc_jump_target = context->word;
}

int setjmp(struct context *context, unsigned long *word)
{
    return save(context, word);
}

int _setjmp(struct context *context, unsigned long *word)
{
    return save(context, word);
}

int sigsetjmp(struct context *context, int save_mask, unsigned long *word)
{
    return save(context, word);
}

int __sigsetjmp(struct context *context, int save_mask, unsigned long *word)
{
    return save(context, word);
}

int __sigsetjmp_cancel(struct context *context, int save_mask, unsigned long *word)
{
    return save(context, word);
}

void longjmp(struct context *context, int value)
{
    jump(context, value);
}

void _longjmp(struct context *context, int value)
{
    jump(context, value);
}

void siglongjmp(struct context *context, int value)
{
    jump(context, value);
}

void __longjmp_chk(struct context *context, int value)
{
    jump(context, value);
}
