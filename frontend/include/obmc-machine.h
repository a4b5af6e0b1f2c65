/* The target machine, forced in front of every translation unit.
 *
 * The host's preprocessor predefines the macros of the host. This file replaces those that
 * depend on the data model or the processor, so that a program means the same on every host:
 * x86-64 Linux under __OBMC_LP64__ (the default), i386 Linux under __OBMC_ILP32__.
 */
#ifndef OBMC_MACHINE_H
#define OBMC_MACHINE_H 1

#undef _FORTIFY_SOURCE
#undef _ILP32
#undef _LP64
#undef __AARCH64EL__
#undef __APPLE__
#undef __AVX__
#undef __CHAR_UNSIGNED__
#undef __FLT_EVAL_METHOD__
#undef __FXSR__
#undef __ILP32
#undef __ILP32__
#undef __INT64_C
#undef __INT64_MAX__
#undef __INT64_TYPE__
#undef __INTMAX_C
#undef __INTMAX_MAX__
#undef __INTMAX_TYPE__
#undef __INTPTR_MAX__
#undef __INTPTR_TYPE__
#undef __INTPTR_WIDTH__
#undef __INT_FAST16_MAX__
#undef __INT_FAST16_TYPE__
#undef __INT_FAST16_WIDTH__
#undef __INT_FAST32_MAX__
#undef __INT_FAST32_TYPE__
#undef __INT_FAST32_WIDTH__
#undef __INT_FAST64_MAX__
#undef __INT_FAST64_TYPE__
#undef __INT_LEAST64_MAX__
#undef __INT_LEAST64_TYPE__
#undef __LONG_MAX__
#undef __LONG_WIDTH__
#undef __LP64__
#undef __MACH__
#undef __MMX__
#undef __OPTIMIZE__
#undef __PTRDIFF_MAX__
#undef __PTRDIFF_TYPE__
#undef __PTRDIFF_WIDTH__
#undef __SIZEOF_INT128__
#undef __SIZEOF_LONG_DOUBLE__
#undef __SIZEOF_LONG__
#undef __SIZEOF_POINTER__
#undef __SIZEOF_PTRDIFF_T__
#undef __SIZEOF_SIZE_T__
#undef __SIZE_MAX__
#undef __SIZE_TYPE__
#undef __SIZE_WIDTH__
#undef __SSE2__
#undef __SSE__
#undef __STDC_NO_ATOMICS__
#undef __STDC_NO_THREADS__
#undef __UINT64_C
#undef __UINT64_MAX__
#undef __UINT64_TYPE__
#undef __UINTMAX_C
#undef __UINTMAX_MAX__
#undef __UINTMAX_TYPE__
#undef __UINTPTR_MAX__
#undef __UINTPTR_TYPE__
#undef __UINT_FAST16_MAX__
#undef __UINT_FAST16_TYPE__
#undef __UINT_FAST32_MAX__
#undef __UINT_FAST32_TYPE__
#undef __UINT_FAST64_MAX__
#undef __UINT_FAST64_TYPE__
#undef __UINT_LEAST64_MAX__
#undef __UINT_LEAST64_TYPE__
#undef __WCHAR_MAX__
#undef __WCHAR_MIN__
#undef __WCHAR_TYPE__
#undef __WCHAR_UNSIGNED__
#undef __aarch64__
#undef __amd64
#undef __amd64__
#undef __arm__
#undef __i386
#undef __i386__
#undef __i686__
#undef __k8
#undef __k8__
#undef __mips__
#undef __powerpc64__
#undef __powerpc__
#undef __riscv
#undef __s390__
#undef __s390x__
#undef __x86_64
#undef __x86_64__
#undef i386

#ifdef __OBMC_ILP32__
#define __INT64_TYPE__ long long int
#define __UINT64_TYPE__ long long unsigned int
#define __INT64_MAX__ 0x7fffffffffffffffLL
#define __UINT64_MAX__ 0xffffffffffffffffULL
#define __INT64_C(c) c ## LL
#define __UINT64_C(c) c ## ULL
#define __INT_LEAST64_TYPE__ long long int
#define __UINT_LEAST64_TYPE__ long long unsigned int
#define __INT_LEAST64_MAX__ 0x7fffffffffffffffLL
#define __UINT_LEAST64_MAX__ 0xffffffffffffffffULL
#define __INT_FAST16_TYPE__ int
#define __UINT_FAST16_TYPE__ unsigned int
#define __INT_FAST16_MAX__ 0x7fffffff
#define __UINT_FAST16_MAX__ 0xffffffffU
#define __INT_FAST16_WIDTH__ 32
#define __INT_FAST32_TYPE__ int
#define __UINT_FAST32_TYPE__ unsigned int
#define __INT_FAST32_MAX__ 0x7fffffff
#define __UINT_FAST32_MAX__ 0xffffffffU
#define __INT_FAST32_WIDTH__ 32
#define __INT_FAST64_TYPE__ long long int
#define __UINT_FAST64_TYPE__ long long unsigned int
#define __INT_FAST64_MAX__ 0x7fffffffffffffffLL
#define __UINT_FAST64_MAX__ 0xffffffffffffffffULL
#define __INTMAX_TYPE__ long long int
#define __UINTMAX_TYPE__ long long unsigned int
#define __INTMAX_MAX__ 0x7fffffffffffffffLL
#define __UINTMAX_MAX__ 0xffffffffffffffffULL
#define __INTMAX_C(c) c ## LL
#define __UINTMAX_C(c) c ## ULL
#define __INTPTR_TYPE__ int
#define __UINTPTR_TYPE__ unsigned int
#define __INTPTR_MAX__ 0x7fffffff
#define __UINTPTR_MAX__ 0xffffffffU
#define __INTPTR_WIDTH__ 32
#define __PTRDIFF_TYPE__ int
#define __PTRDIFF_MAX__ 0x7fffffff
#define __PTRDIFF_WIDTH__ 32
#define __SIZE_TYPE__ unsigned int
#define __SIZE_MAX__ 0xffffffffU
#define __SIZE_WIDTH__ 32
#define __WCHAR_TYPE__ long int
#define __WCHAR_MAX__ 0x7fffffffL
#define __WCHAR_MIN__ (-__WCHAR_MAX__ - 1)
#define __LONG_MAX__ 0x7fffffffL
#define __LONG_WIDTH__ 32
#define __SIZEOF_LONG__ 4
#define __SIZEOF_POINTER__ 4
#define __SIZEOF_PTRDIFF_T__ 4
#define __SIZEOF_SIZE_T__ 4
#define __SIZEOF_LONG_DOUBLE__ 12
#define __FLT_EVAL_METHOD__ 0
#define _ILP32 1
#define __ILP32__ 1
#define __i386 1
#define __i386__ 1
#define __i686__ 1
#else
#define __INT64_TYPE__ long int
#define __UINT64_TYPE__ long unsigned int
#define __INT64_MAX__ 0x7fffffffffffffffL
#define __UINT64_MAX__ 0xffffffffffffffffUL
#define __INT64_C(c) c ## L
#define __UINT64_C(c) c ## UL
#define __INT_LEAST64_TYPE__ long int
#define __UINT_LEAST64_TYPE__ long unsigned int
#define __INT_LEAST64_MAX__ 0x7fffffffffffffffL
#define __UINT_LEAST64_MAX__ 0xffffffffffffffffUL
#define __INT_FAST16_TYPE__ long int
#define __UINT_FAST16_TYPE__ long unsigned int
#define __INT_FAST16_MAX__ 0x7fffffffffffffffL
#define __UINT_FAST16_MAX__ 0xffffffffffffffffUL
#define __INT_FAST16_WIDTH__ 64
#define __INT_FAST32_TYPE__ long int
#define __UINT_FAST32_TYPE__ long unsigned int
#define __INT_FAST32_MAX__ 0x7fffffffffffffffL
#define __UINT_FAST32_MAX__ 0xffffffffffffffffUL
#define __INT_FAST32_WIDTH__ 64
#define __INT_FAST64_TYPE__ long int
#define __UINT_FAST64_TYPE__ long unsigned int
#define __INT_FAST64_MAX__ 0x7fffffffffffffffL
#define __UINT_FAST64_MAX__ 0xffffffffffffffffUL
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __INTMAX_MAX__ 0x7fffffffffffffffL
#define __UINTMAX_MAX__ 0xffffffffffffffffUL
#define __INTMAX_C(c) c ## L
#define __UINTMAX_C(c) c ## UL
#define __INTPTR_TYPE__ long int
#define __UINTPTR_TYPE__ long unsigned int
#define __INTPTR_MAX__ 0x7fffffffffffffffL
#define __UINTPTR_MAX__ 0xffffffffffffffffUL
#define __INTPTR_WIDTH__ 64
#define __PTRDIFF_TYPE__ long int
#define __PTRDIFF_MAX__ 0x7fffffffffffffffL
#define __PTRDIFF_WIDTH__ 64
#define __SIZE_TYPE__ long unsigned int
#define __SIZE_MAX__ 0xffffffffffffffffUL
#define __SIZE_WIDTH__ 64
#define __WCHAR_TYPE__ int
#define __WCHAR_MAX__ 0x7fffffff
#define __WCHAR_MIN__ (-__WCHAR_MAX__ - 1)
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __LONG_WIDTH__ 64
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __FLT_EVAL_METHOD__ 0
#define _LP64 1
#define __LP64__ 1
#define __SIZEOF_INT128__ 16
#define __amd64 1
#define __amd64__ 1
#define __x86_64 1
#define __x86_64__ 1
#endif

/* The operating system whose headers these are. */
#undef __linux__
#undef __linux
#undef __unix__
#undef __gnu_linux__
#define __linux__ 1
#define __linux 1
#define __unix__ 1
#define __gnu_linux__ 1

#endif
