// Each of these can be zero, so the error can be reached.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern unsigned long __VERIFIER_nondet_size_t(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
int main(void) {
    if (!__VERIFIER_nondet_char() && !__VERIFIER_nondet_uchar() && !__VERIFIER_nondet_short())
        if (!__VERIFIER_nondet_ushort() && !__VERIFIER_nondet_int() && !__VERIFIER_nondet_uint())
            if (!__VERIFIER_nondet_long() && !__VERIFIER_nondet_ulong())
                if (!__VERIFIER_nondet_longlong() && !__VERIFIER_nondet_ulonglong())
                    if (!__VERIFIER_nondet_size_t() && !__VERIFIER_nondet_unsigned())
                        reach_error();
    return 0;
}
