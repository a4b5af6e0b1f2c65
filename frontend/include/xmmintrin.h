#ifndef _XMMINTRIN_H_INCLUDED
#define _XMMINTRIN_H_INCLUDED

/* What lock-free code needs of x86's intrinsics: waiting, fences, prefetching. No vectors. */

enum _mm_hint {
    _MM_HINT_ET0 = 7,
    _MM_HINT_ET1 = 6,
    _MM_HINT_T0 = 3,
    _MM_HINT_T1 = 2,
    _MM_HINT_T2 = 1,
    _MM_HINT_NTA = 0
};

#define _mm_pause() __builtin_ia32_pause()
#define _mm_sfence() __builtin_ia32_sfence()
#define _mm_prefetch(address, hint) __builtin_prefetch((address))

#endif
