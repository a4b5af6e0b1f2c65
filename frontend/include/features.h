#ifndef _FEATURES_H
#define _FEATURES_H 1

#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GNU_LIBRARY__ 6
#define __GLIBC_PREREQ(major, minor) ((2 << 16) + 36 >= ((major) << 16) + (minor))
#include <sys/cdefs.h>

#endif
