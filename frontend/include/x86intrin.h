#ifndef _X86INTRIN_H_INCLUDED
#define _X86INTRIN_H_INCLUDED

#include <immintrin.h>

extern unsigned long long int __rdtsc(void);
#define _rdtsc() __rdtsc()

#endif
