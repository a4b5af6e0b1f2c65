#ifndef _ASM_TYPES_H
#define _ASM_TYPES_H 1

#include <linux/types.h>

#endif
