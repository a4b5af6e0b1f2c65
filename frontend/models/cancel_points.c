/* Functions of the library at which a thread that was cancelled ends: POSIX has one list of those
 * that are cancellation points, and one of those that may be. Nothing where no thread cancels.
 */
int __obmc_linked(const char *name);
void pthread_testcancel(void);

void __obmc_cancellation_point(void)
{
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
}

void __obmc_may_cancel(void)
{
    if (__obmc_linked("pthread_cancel")) {
        _Bool here;
        if (here)
            pthread_testcancel();
    }
}
