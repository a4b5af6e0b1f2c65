/* What the compiler calls before each access (as if this were ThreadSanitizer), and what the
 * program calls instead of the library. */
#define _GNU_SOURCE
#include "replay.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>


/* With the frame of the hook: right above it is the caller's. */
#define obmc_touch(address, size, mode) obmc_touch_from(__builtin_frame_address(0), address, size, mode)

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;
#endif

#define ACCESS_HOOK(name, bytes, mode)                                                              \
    void __##name(void *address) { obmc_touch(address, bytes, mode); }
#define RANGE_HOOK(name, mode)                                                                      \
    void __##name(void *address, unsigned long size) { obmc_touch(address, size, mode); }

#define SIZES(macro)                                                                                \
    macro(1) macro(2) macro(4) macro(8) macro(16)
#define PLAIN(n)                                                                                    \
    ACCESS_HOOK(tsan_read##n, n, READ)                                                              \
    ACCESS_HOOK(tsan_write##n, n, WRITE)
SIZES(PLAIN)
RANGE_HOOK(tsan_read_range, READ)
RANGE_HOOK(tsan_write_range, WRITE)

#define UNALIGNED(n)                                                                                \
    ACCESS_HOOK(tsan_unaligned_read##n, n, READ)                                                    \
    ACCESS_HOOK(tsan_unaligned_write##n, n, WRITE)                                                  \
    ACCESS_HOOK(tsan_volatile_read##n, n, READ)                                                     \
    ACCESS_HOOK(tsan_volatile_write##n, n, WRITE)                                                   \
    ACCESS_HOOK(tsan_unaligned_volatile_read##n, n, READ)                                           \
    ACCESS_HOOK(tsan_unaligned_volatile_write##n, n, WRITE)                                         \
    ACCESS_HOOK(tsan_read_write##n, n, BOTH)                                                        \
    ACCESS_HOOK(tsan_unaligned_read_write##n, n, BOTH)
SIZES(UNALIGNED)
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **at, void *value) { (void)at, (void)value; }
void __tsan_vptr_read(void **at) { (void)at; }
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* Atomic operations: in the order of the script, and all sequentially consistent. */
#define DO(bits, type, name, parameters, arguments, otherwise)                                      \
    type __tsan_atomic##bits##_##name parameters
#define RESULT(bits, name, arguments, otherwise) otherwise

#define SEQ __ATOMIC_SEQ_CST
#define UPDATE(bits, type, name, builtin)                                                           \
    DO(bits, type, name, (volatile type *at, type value, int order), (at, value, order), 0)         \
    {                                                                                               \
        obmc_touch((void *)at, bits / 8, BOTH);                                                     \
        (void)order;                                                                                \
        return RESULT(bits, name, (at, value, order), builtin(at, value, SEQ));                     \
    }
#define ATOMIC(bits, type)                                                                          \
    DO(bits, type, load, (const volatile type *at, int order), , 0)                                 \
    {                                                                                               \
        obmc_touch((void *)at, bits / 8, READ);                                                     \
        (void)order;                                                                                \
        return RESULT(bits, load, (at, order), __atomic_load_n(at, SEQ));                           \
    }                                                                                               \
    DO(bits, void, store, (volatile type *at, type value, int order), , 0)                          \
    {                                                                                               \
        obmc_touch((void *)at, bits / 8, WRITE);                                                    \
        (void)order;                                                                                \
        RESULT(bits, store, (at, value, order), __atomic_store_n(at, value, SEQ));                  \
    }                                                                                               \
    UPDATE(bits, type, exchange, __atomic_exchange_n)                                               \
    UPDATE(bits, type, fetch_add, __atomic_fetch_add)                                               \
    UPDATE(bits, type, fetch_sub, __atomic_fetch_sub)                                               \
    UPDATE(bits, type, fetch_and, __atomic_fetch_and)                                               \
    UPDATE(bits, type, fetch_or, __atomic_fetch_or)                                                 \
    UPDATE(bits, type, fetch_xor, __atomic_fetch_xor)                                               \
    UPDATE(bits, type, fetch_nand, __atomic_fetch_nand)                                             \
    DO(bits, int, compare_exchange_strong,                                                          \
       (volatile type *at, type *expected, type value, int order, int failure), , 0)                \
    {                                                                                               \
        obmc_touch((void *)at, bits / 8, BOTH);                                                     \
        (void)order, (void)failure;                                                                 \
        return RESULT(bits, compare_exchange_strong, (at, expected, value, order, failure),         \
                      __atomic_compare_exchange_n(at, expected, value, 0, SEQ, SEQ));               \
    }                                                                                               \
    DO(bits, int, compare_exchange_weak,                                                            \
       (volatile type *at, type *expected, type value, int order, int failure), , 0)                \
    {                                                                                               \
        obmc_touch((void *)at, bits / 8, BOTH);                                                     \
        (void)order, (void)failure;                                                                 \
        /* It may fail for no reason, and does where the trace does. */                             \
        if (__atomic_load_n(at, SEQ) == *expected && obmc_input("__obmc_spurious_failure"))         \
            return 0;                                                                               \
        return RESULT(bits, compare_exchange_weak, (at, expected, value, order, failure),           \
                      __atomic_compare_exchange_n(at, expected, value, 0, SEQ, SEQ));               \
    }                                                                                               \
    DO(bits, type, compare_exchange_val,                                                            \
       (volatile type *at, type expected, type value, int order, int failure), , 0)                 \
    {                                                                                               \
        obmc_touch((void *)at, bits / 8, BOTH);                                                     \
        (void)order, (void)failure;                                                                 \
        RESULT(bits, compare_exchange_strong, (at, &expected, value, order, failure),               \
               __atomic_compare_exchange_n(at, &expected, value, 0, SEQ, SEQ));                     \
        return expected;                                                                            \
    }
ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)

#ifdef __SIZEOF_INT128__
/* Not all machines have these. The turns of the script keep others away meanwhile. */
#define WIDE(name, new)                                                                             \
    u128 __tsan_atomic128_##name(volatile u128 *at, u128 value, int order)                          \
    {                                                                                               \
        (void)order;                                                                                \
        obmc_touch((void *)at, 16, BOTH);                                                           \
        u128 old = *at;                                                                             \
        *at = new;                                                                                  \
        return old;                                                                                 \
    }
WIDE(exchange, value)
WIDE(fetch_add, old + value)
WIDE(fetch_sub, old - value)
WIDE(fetch_and, old & value)
WIDE(fetch_or, old | value)
WIDE(fetch_xor, old ^ value)
WIDE(fetch_nand, ~(old & value))

u128 __tsan_atomic128_load(const volatile u128 *at, int order)
{
    (void)order;
    obmc_touch((void *)at, 16, READ);
    return *at;
}

void __tsan_atomic128_store(volatile u128 *at, u128 value, int order)
{
    (void)order;
    obmc_touch((void *)at, 16, WRITE);
    *at = value;
}

int __tsan_atomic128_compare_exchange_strong(volatile u128 *at, u128 *expected, u128 value, int order,
                                             int failure)
{
    (void)order, (void)failure;
    obmc_touch((void *)at, 16, BOTH);
    u128 old = *at;
    if (old != *expected) {
        *expected = old;
        return 0;
    }
    *at = value;
    return 1;
}

int __tsan_atomic128_compare_exchange_weak(volatile u128 *at, u128 *expected, u128 value, int order,
                                           int failure)
{
    if (*at == *expected && obmc_input("__obmc_spurious_failure"))
        return 0;
    return __tsan_atomic128_compare_exchange_strong(at, expected, value, order, failure);
}
#endif

/* Functions of the program that mean something to a verifier. */

static int is_atomic(void *function)
{
    const char *name = obmc_function_at(function);
    return name && strncmp(name, "__VERIFIER_atomic", 17) == 0;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    const char *name = obmc_function_at(function);
    if (!name)
        return;
    if (is_atomic(function)) {
        if (strcmp(name, "__VERIFIER_atomic_begin") && strcmp(name, "__VERIFIER_atomic_end"))
            obmc_block_begin();
    } else {
        char text[100];
        snprintf(text, sizeof text, "%s() is called", name);
        obmc_failed(text, 0, 0);
    }
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    const char *name = obmc_function_at(function);
    if (name && is_atomic(function))
        if (strcmp(name, "__VERIFIER_atomic_begin") && strcmp(name, "__VERIFIER_atomic_end"))
            obmc_block_end();
}

#define WEAK __attribute__((weak))

void reach_error(void) { obmc_failed("reach_error() is called", 0, 0); }
void __VERIFIER_error(void) { obmc_failed("__VERIFIER_error() is called", 0, 0); }

WEAK void __VERIFIER_assume(int condition)
{
    if (!condition)
        obmc_park("fails an assumption");
}

WEAK void __CPROVER_assume(int condition) { __VERIFIER_assume(condition); }
WEAK void __ESBMC_assume(int condition) { __VERIFIER_assume(condition); }

WEAK void __VERIFIER_assert(int condition)
{
    if (!condition)
        obmc_failed("an assertion fails", 0, 0);
}

WEAK void assert(int condition) { __VERIFIER_assert(condition); }
WEAK void __VERIFIER_loop_bound(int n) { (void)n; }
WEAK void __VERIFIER_loop_begin(void) {}
WEAK void __VERIFIER_spin_start(void) {}
WEAK void __VERIFIER_spin_end(int n) { (void)n; }

void replayed___assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    (void)function;
    obmc_failed_assertion(text, file, line);
}

void replayed___assert(const char *text, const char *file, int line)
{
    replayed___assert_fail(text, file, line, "");
}

void replayed___assert_rtn(const char *function, const char *file, int line, const char *text)
{
    replayed___assert_fail(text, file, line, function);
}

/* The model of printf looks at its arguments and prints nothing. */
WEAK int replayed_vprintf(const char *format, va_list list)
{
    return vsnprintf(0, 0, format, list);
}

int replayed_printf(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int result = replayed_vprintf(format, list);
    vprintf(format, again);
    va_end(list);
    va_end(again);
    return result;
}

WEAK long __obmc_futex(u32 *word, int operation, u32 value, unsigned long third, u32 *other, u32 last)
{
    return syscall(SYS_futex, word, operation, value, third, other, last);
}

/* Of a futex operation, as many arguments as the program gives count. */
long replayed_syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex)
        return __obmc_futex((u32 *)a[0], (int)a[1], (u32)a[2], (unsigned long)a[3], (u32 *)a[4], (u32)a[5]);
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Instead of those of print.c and sign.c: what the trace has, or the usual number. Calls whose result
 * matters little (a literal format, a comparison with 0) are others in the trace. */
static int any(const char *function, int usual)
{
    unsigned long long bits;
    return obmc_unset_in(function, &bits) ? (int)bits : usual;
}

int __obmc_any_count(int usual) { return any("__obmc_any_count", usual); }

int __obmc_any_of_sign(int sign)
{
    int result = sign ? any("__obmc_any_of_sign", sign) : 0;
    return (result < 0) == (sign < 0) && (result > 0) == (sign > 0) ? result : sign;
}

int __obmc_any_truth(int truth)
{
    int result = truth ? any("__obmc_any_truth", truth) : 0;
    return result ? result : truth;
}


/* How many conversions succeed is an input, and so is what each of them reads. */
static int scan(const char *name, const char *format, va_list list)
{
    int count = (int)obmc_input(name), left = count;
    for (; *format && left > 0; format++) {
        if (*format != '%' || *++format == '%')
            continue;
        int skips = *format == '*';
        format += skips + strspn(format + skips, "0123456789");
        unsigned long size = sizeof(int), longs = strspn(format, "l"), halves = strspn(format, "h");
        const char *kind = format + strspn(format, "hlLjzt");
        if (strchr("fFeEgGaA", *kind))
            size = *format == 'L' ? sizeof(long double) : longs ? 8 : 4;
        else if (*kind == 'p' || strchr("jzt", *format))
            size = sizeof(void *);
        else if (halves || *kind == 'c')
            size = halves == 1 ? 2 : 1;
        else if (longs)
            size = longs == 1 ? sizeof(long) : 8;
        format = *kind ? kind : kind - 1;
        if (skips)
            continue;
        void *target = va_arg(list, void *);
        unsigned long long bits = obmc_input(name);
        obmc_touch(target, size, WRITE);
        memcpy(target, &bits, size < sizeof bits ? size : sizeof bits);
        left--;
    }
    return count;
}

#define SCAN(name, parameters)                                                                      \
    WEAK int replayed_##name parameters                                                             \
    {                                                                                               \
        va_list list;                                                                               \
        va_start(list, format);                                                                     \
        int result = scan(#name, format, list);                                                     \
        va_end(list);                                                                               \
        return result;                                                                              \
    }
#define SCANS(prefix)                                                                               \
    SCAN(prefix##scanf, (const char *format, ...))                                                  \
    SCAN(prefix##fscanf, (void *stream, const char *format, ...))                                   \
    SCAN(prefix##sscanf, (const char *text, const char *format, ...))
SCANS()
SCANS(__isoc99_)
SCANS(__isoc23_)

/* To jump to a function that has returned is an error: glibc keeps the stack pointer in the buffer, in
 * a form that only it should know, so what is no such pointer says nothing. */
void longjmp(void *context, int value) __attribute__((noreturn));

_Noreturn void obmc_jump(void *context, int value)
{
#if defined __x86_64__ && defined __GLIBC__
    unsigned long pointer = ((unsigned long *)context)[6];
    int owner;
    __asm__("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(pointer));
    if (obmc_goal == BAD_ACCESS && pointer % 8 == 0
        && obmc_ended_storage(__builtin_frame_address(0), (void *)pointer, &owner))
        obmc_violated("thread %d jumps to a function that has returned", obmc_thread_number());
#endif
    longjmp(context, value);
}

void __obmc_roughly(const char *what) { (void)what; }
_Noreturn void __obmc_error(const char *what) { obmc_failed(what, 0, 0); }
_Noreturn void __obmc_exit(void) { obmc_park("ends the program"); }
_Noreturn void __obmc_abort(void) { obmc_park("aborts"); }
_Noreturn void __obmc_unsupported(const char *what) { obmc_park(what); }
_Noreturn void __obmc_undefined(const char *what) { obmc_park(what); }

void replayed_abort(void) { obmc_park("aborts"); }
void replayed__Exit(int status) { (void)status; obmc_park("ends the program"); }
void replayed__exit(int status) { (void)status; obmc_park("ends the program"); }

/* Of exit.c, if the program registers any. */
WEAK void __obmc_run_exit_handlers(void) {}

void replayed_exit(int status)
{
    (void)status;
    __obmc_run_exit_handlers();
    obmc_run_destructors();
    if (obmc_goal == LEAK)
        obmc_check_leaks();
    obmc_park("ends the program");
}

