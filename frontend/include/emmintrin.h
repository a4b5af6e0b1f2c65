#ifndef _EMMINTRIN_H_INCLUDED
#define _EMMINTRIN_H_INCLUDED

#include <xmmintrin.h>

#define _mm_lfence() __builtin_ia32_lfence()
#define _mm_mfence() __builtin_ia32_mfence()

#endif
