/* Non-local jumps. Saving the context returns 0, as it does the first time; coming back to it is not
 * modelled.
 */
_Noreturn void __obmc_unsupported(const char *what);

int setjmp(void *context)
{
    return 0;
}

int _setjmp(void *context)
{
    return 0;
}

int sigsetjmp(void *context, int save_mask)
{
    return 0;
}

int __sigsetjmp(void *context, int save_mask)
{
    return 0;
}

int __sigsetjmp_cancel(void *context, int save_mask)
{
    return 0;
}

_Noreturn void longjmp(void *context, int value)
{
    __obmc_unsupported("longjmp");
}

_Noreturn void _longjmp(void *context, int value)
{
    __obmc_unsupported("_longjmp");
}

_Noreturn void siglongjmp(void *context, int value)
{
    __obmc_unsupported("siglongjmp");
}
