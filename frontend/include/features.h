/* Which parts of the library a program asks for. Our own headers declare everything in any case; the
 * host's, where they are used, look at these macros: all of POSIX and what glibc gives by default,
 * GNU's extensions if _GNU_SOURCE is defined.
 */
#ifndef _FEATURES_H
#define _FEATURES_H 1

#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GNU_LIBRARY__ 6
#define __GLIBC_PREREQ(major, minor) ((2 << 16) + 36 >= ((major) << 16) + (minor))
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __glibc_clang_prereq(major, minor) 0

#define __USE_ISOC95 1
#define __USE_ISOC99 1
#define __USE_ISOC11 1
#define __USE_POSIX 1
#define __USE_POSIX2 1
#define __USE_POSIX199309 1
#define __USE_POSIX199506 1
#define __USE_XOPEN2K 1
#define __USE_XOPEN2K8 1
#define __USE_MISC 1
#define __USE_ATFILE 1
#define __USE_FORTIFY_LEVEL 0

#ifdef _GNU_SOURCE
#define __USE_GNU 1
#define __USE_XOPEN 1
#define __USE_XOPEN_EXTENDED 1
#define __USE_UNIX98 1
#define __USE_XOPEN2KXSI 1
#define __USE_XOPEN2K8XSI 1
#define __USE_LARGEFILE 1
#define __USE_LARGEFILE64 1
#define __USE_DYNAMIC_STACK_SIZE 1
#endif

#define __GLIBC_USE(feature) __GLIBC_USE_ ## feature
#define __GLIBC_USE_ISOC2X 0
#define __GLIBC_USE_DEPRECATED_GETS 0
#define __GLIBC_USE_DEPRECATED_SCANF 0
#define __GLIBC_USE_LIB_EXT2 0
#define __GLIBC_USE_IEC_60559_BFP_EXT 0
#define __GLIBC_USE_IEC_60559_BFP_EXT_C2X 0
#define __GLIBC_USE_IEC_60559_EXT 0
#define __GLIBC_USE_IEC_60559_FUNCS_EXT 0
#define __GLIBC_USE_IEC_60559_FUNCS_EXT_C2X 0
#define __GLIBC_USE_IEC_60559_TYPES_EXT 0

#include <sys/cdefs.h>

#endif
