#ifndef _SETJMP_H
#define _SETJMP_H 1

#include <bits/obmc-types.h>

struct __jmp_buf_tag {
#ifdef __OBMC_ILP32__
    int __jmpbuf[6];
#else
    long int __jmpbuf[8];
#endif
    int __mask_was_saved;
    __sigset_t __saved_mask;
};

typedef struct __jmp_buf_tag jmp_buf[1];
typedef struct __jmp_buf_tag sigjmp_buf[1];

extern int setjmp(jmp_buf context);
extern int _setjmp(jmp_buf context);
extern int sigsetjmp(sigjmp_buf context, int save_mask);
extern void longjmp(jmp_buf context, int value) __attribute__((__noreturn__));
extern void _longjmp(jmp_buf context, int value) __attribute__((__noreturn__));
extern void siglongjmp(sigjmp_buf context, int value) __attribute__((__noreturn__));

#endif
