/* AddressSanitizer instead of ThreadSanitizer: it knows the bounds of locals and globals, and which
 * locals are gone. Its checks are calls here, so that each one waits for its turn first. */
#include "replay.h"

int obmc_thread_number(void);
const char *__asan_get_report_description(void);
void *__asan_get_report_bp(void);

/* Of the check that is running: the library's own frames need not have pointers. */
static __thread void *frame;

#define CHECK(name, n, mode)                                                                        \
    void __real___asan_##name##n(unsigned long address);                                            \
    void __wrap___asan_##name##n(unsigned long address)                                             \
    {                                                                                               \
        obmc_touch((void *)address, n, mode);                                                       \
        frame = __builtin_frame_address(0);                                                         \
        __real___asan_##name##n(address);                                                           \
        frame = 0;                                                                                  \
    }
#define CHECKS(n) CHECK(load, n, READ) CHECK(store, n, WRITE)
CHECKS(1) CHECKS(2) CHECKS(4) CHECKS(8) CHECKS(16)

#define RANGE(name, mode)                                                                           \
    void __real___asan_##name##N(unsigned long address, unsigned long size);                        \
    void __wrap___asan_##name##N(unsigned long address, unsigned long size)                         \
    {                                                                                               \
        obmc_touch((void *)address, size, mode);                                                    \
        frame = __builtin_frame_address(0);                                                         \
        __real___asan_##name##N(address, size);                                                     \
        frame = 0;                                                                                  \
    }
RANGE(load, READ)
RANGE(store, WRITE)

/* Signals are the scheduler's. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0:detect_stack_use_after_return=1:use_sigaltstack=0:handle_segv=0:"
           "handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}

void __asan_on_error(void)
{
    /* The report is locked: no thread can wait here for another one's. */
    if (obmc_thread_number() != obmc_last_thread)
        obmc_gave_up("%s in thread %d, and the trace goes wrong in thread %d",
                     __asan_get_report_description(), obmc_thread_number(), obmc_last_thread);
    struct calls calls;
    obmc_calls_from(&calls, frame ? frame : __asan_get_report_bp(), obmc_stack_top());
    obmc_violated_at(&calls, "%s in thread %d", __asan_get_report_description(), obmc_thread_number());
}
