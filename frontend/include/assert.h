/* No guard: assert follows NDEBUG at each inclusion, as the C standard says. */
#undef assert
#undef assert_perror

#ifdef NDEBUG
#define assert(e) ((void)0)
#define assert_perror(n) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#define assert_perror(n) ((n) == 0 ? (void)0 : __assert_perror_fail((n), __FILE__, __LINE__, __func__))
#endif

#ifndef _ASSERT_H
#define _ASSERT_H 1
extern void __assert_fail(const char *assertion, const char *file, unsigned int line,
                          const char *function) __attribute__((__noreturn__));
extern void __assert_perror_fail(int errnum, const char *file, unsigned int line,
                                 const char *function) __attribute__((__noreturn__));
extern void __assert(const char *assertion, const char *file, int line)
    __attribute__((__noreturn__));
#define static_assert _Static_assert
#endif
