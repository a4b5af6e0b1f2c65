/* errno: one int per thread.
 *
 * Idea: a function that fails sets it, and whether an output or a system call fails is open. To
 * decide that at each call would double what there is to explore. So the result is remembered, as
 * open as it is, and decided when the program looks at errno. Results are remembered together: the
 * word is negative if one of them is, so a success behind a failure hides nothing. Programs without
 * errno remember nothing.
 */
void __VERIFIER_assume(int condition);

static __thread int last_error;
static __thread long last_result;

int *__errno_location(void)
{
    if (last_result < 0) {
        int reason;
        __VERIFIER_assume(reason > 0);
        last_error = reason;
    }
    last_result = 0;
    return &last_error;
}

void __obmc_remember_result(long result)
{
    last_result |= result;
}
