#ifndef _ASM_POSIX_TYPES_H
#define _ASM_POSIX_TYPES_H 1

#include <linux/posix_types.h>

#endif
