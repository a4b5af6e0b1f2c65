/* glibc's own names of the types of <sys/types.h>, for the host's headers. */
#ifndef _BITS_TYPES_H
#define _BITS_TYPES_H 1

#include <bits/obmc-types.h>

typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef short int __int16_t;
typedef unsigned short int __uint16_t;
typedef int __int32_t;
typedef unsigned int __uint32_t;
typedef __int8_t __int_least8_t;
typedef __uint8_t __uint_least8_t;
typedef __int16_t __int_least16_t;
typedef __uint16_t __uint_least16_t;
typedef __int32_t __int_least32_t;
typedef __uint32_t __uint_least32_t;
typedef __int64_t __int_least64_t;
typedef __uint64_t __uint_least64_t;
typedef __int64_t __quad_t;
typedef __uint64_t __u_quad_t;
typedef __INTMAX_TYPE__ __intmax_t;
typedef __UINTMAX_TYPE__ __uintmax_t;

typedef dev_t __dev_t;
typedef uid_t __uid_t;
typedef gid_t __gid_t;
typedef ino_t __ino_t;
typedef __UINT64_TYPE__ __ino64_t;
typedef mode_t __mode_t;
typedef nlink_t __nlink_t;
typedef off_t __off_t;
typedef off64_t __off64_t;
typedef pid_t __pid_t;
typedef struct {
    int __val[2];
} __fsid_t;
typedef clock_t __clock_t;
typedef unsigned long int __rlim_t;
typedef __UINT64_TYPE__ __rlim64_t;
typedef id_t __id_t;
typedef time_t __time_t;
typedef useconds_t __useconds_t;
typedef suseconds_t __suseconds_t;
typedef __INT64_TYPE__ __suseconds64_t;
typedef int __daddr_t;
typedef key_t __key_t;
typedef clockid_t __clockid_t;
typedef timer_t __timer_t;
typedef blksize_t __blksize_t;
typedef blkcnt_t __blkcnt_t;
typedef __INT64_TYPE__ __blkcnt64_t;
typedef fsblkcnt_t __fsblkcnt_t;
typedef __UINT64_TYPE__ __fsblkcnt64_t;
typedef fsfilcnt_t __fsfilcnt_t;
typedef __UINT64_TYPE__ __fsfilcnt64_t;
typedef __PTRDIFF_TYPE__ __fsword_t;
typedef ssize_t __ssize_t;
typedef long int __syscall_slong_t;
typedef unsigned long int __syscall_ulong_t;
typedef off64_t __loff_t;
typedef char *__caddr_t;
typedef __INTPTR_TYPE__ __intptr_t;
typedef unsigned int __socklen_t;
typedef int __sig_atomic_t;
typedef __INT64_TYPE__ __time64_t;

#define __STD_TYPE typedef
#define __U32_TYPE unsigned int
#define __S32_TYPE int
#define __UWORD_TYPE unsigned long int
#define __SWORD_TYPE long int
#define __SLONGWORD_TYPE long int
#define __ULONGWORD_TYPE unsigned long int
#define __U64_TYPE __UINT64_TYPE__
#define __S64_TYPE __INT64_TYPE__
#define __SQUAD_TYPE __INT64_TYPE__
#define __UQUAD_TYPE __UINT64_TYPE__

#endif
