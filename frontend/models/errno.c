/* errno: one int per thread. */
static __thread int last_error;

int *__errno_location(void)
{
    return &last_error;
}
