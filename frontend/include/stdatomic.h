#ifndef _STDATOMIC_H
#define _STDATOMIC_H 1

/* Every generic function is one of the compiler's __atomic builtins. */

typedef enum {
    memory_order_relaxed = 0,
    memory_order_consume = 1,
    memory_order_acquire = 2,
    memory_order_release = 3,
    memory_order_acq_rel = 4,
    memory_order_seq_cst = 5
} memory_order;

typedef _Atomic _Bool atomic_bool;
typedef _Atomic char atomic_char;
typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar;
typedef _Atomic short atomic_short;
typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int;
typedef _Atomic unsigned int atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong;
typedef _Atomic long long atomic_llong;
typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic unsigned short atomic_char16_t;
typedef _Atomic unsigned int atomic_char32_t;
typedef _Atomic __WCHAR_TYPE__ atomic_wchar_t;
typedef _Atomic signed char atomic_int_least8_t;
typedef _Atomic unsigned char atomic_uint_least8_t;
typedef _Atomic short atomic_int_least16_t;
typedef _Atomic unsigned short atomic_uint_least16_t;
typedef _Atomic int atomic_int_least32_t;
typedef _Atomic unsigned int atomic_uint_least32_t;
typedef _Atomic __INT64_TYPE__ atomic_int_least64_t;
typedef _Atomic __UINT64_TYPE__ atomic_uint_least64_t;
typedef _Atomic signed char atomic_int_fast8_t;
typedef _Atomic unsigned char atomic_uint_fast8_t;
typedef _Atomic __INT_FAST16_TYPE__ atomic_int_fast16_t;
typedef _Atomic __UINT_FAST16_TYPE__ atomic_uint_fast16_t;
typedef _Atomic __INT_FAST32_TYPE__ atomic_int_fast32_t;
typedef _Atomic __UINT_FAST32_TYPE__ atomic_uint_fast32_t;
typedef _Atomic __INT64_TYPE__ atomic_int_fast64_t;
typedef _Atomic __UINT64_TYPE__ atomic_uint_fast64_t;
typedef _Atomic __INTPTR_TYPE__ atomic_intptr_t;
typedef _Atomic __UINTPTR_TYPE__ atomic_uintptr_t;
typedef _Atomic __SIZE_TYPE__ atomic_size_t;
typedef _Atomic __PTRDIFF_TYPE__ atomic_ptrdiff_t;
typedef _Atomic __INTMAX_TYPE__ atomic_intmax_t;
typedef _Atomic __UINTMAX_TYPE__ atomic_uintmax_t;

#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2

#define ATOMIC_VAR_INIT(value) (value)
#define kill_dependency(y) (y)

#define atomic_init(p, v) __c11_atomic_init((p), (v))
#define atomic_is_lock_free(p) ((_Bool)__atomic_is_lock_free(sizeof(*(p)), (p)))

#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) __atomic_signal_fence(order)

#define atomic_load_explicit(p, order) __atomic_load_n((p), (order))
#define atomic_load(p) __atomic_load_n((p), memory_order_seq_cst)
#define atomic_store_explicit(p, v, order) __atomic_store_n((p), (v), (order))
#define atomic_store(p, v) __atomic_store_n((p), (v), memory_order_seq_cst)
#define atomic_exchange_explicit(p, v, order) __atomic_exchange_n((p), (v), (order))
#define atomic_exchange(p, v) __atomic_exchange_n((p), (v), memory_order_seq_cst)

#define atomic_compare_exchange_strong_explicit(p, expected, desired, success, failure)            \
    __atomic_compare_exchange_n((p), (expected), (desired), 0, (success), (failure))
#define atomic_compare_exchange_strong(p, expected, desired)                                       \
    __atomic_compare_exchange_n((p), (expected), (desired), 0, memory_order_seq_cst,               \
                                memory_order_seq_cst)
#define atomic_compare_exchange_weak_explicit(p, expected, desired, success, failure)              \
    __atomic_compare_exchange_n((p), (expected), (desired), 1, (success), (failure))
#define atomic_compare_exchange_weak(p, expected, desired)                                         \
    __atomic_compare_exchange_n((p), (expected), (desired), 1, memory_order_seq_cst,               \
                                memory_order_seq_cst)

#define atomic_fetch_add_explicit(p, v, order) __atomic_fetch_add((p), (v), (order))
#define atomic_fetch_add(p, v) __atomic_fetch_add((p), (v), memory_order_seq_cst)
#define atomic_fetch_sub_explicit(p, v, order) __atomic_fetch_sub((p), (v), (order))
#define atomic_fetch_sub(p, v) __atomic_fetch_sub((p), (v), memory_order_seq_cst)
#define atomic_fetch_or_explicit(p, v, order) __atomic_fetch_or((p), (v), (order))
#define atomic_fetch_or(p, v) __atomic_fetch_or((p), (v), memory_order_seq_cst)
#define atomic_fetch_xor_explicit(p, v, order) __atomic_fetch_xor((p), (v), (order))
#define atomic_fetch_xor(p, v) __atomic_fetch_xor((p), (v), memory_order_seq_cst)
#define atomic_fetch_and_explicit(p, v, order) __atomic_fetch_and((p), (v), (order))
#define atomic_fetch_and(p, v) __atomic_fetch_and((p), (v), memory_order_seq_cst)

typedef struct {
    _Bool __val;
} atomic_flag;

#define ATOMIC_FLAG_INIT { 0 }

#define atomic_flag_test_and_set_explicit(p, order) __atomic_test_and_set(&(p)->__val, (order))
#define atomic_flag_test_and_set(p) __atomic_test_and_set(&(p)->__val, memory_order_seq_cst)
#define atomic_flag_clear_explicit(p, order) __atomic_clear(&(p)->__val, (order))
#define atomic_flag_clear(p) __atomic_clear(&(p)->__val, memory_order_seq_cst)

#endif
