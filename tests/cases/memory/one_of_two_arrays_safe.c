extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[2], b[2];
int main(void) {
    int *p = __VERIFIER_nondet_bool() ? a : b;
    unsigned char i = __VERIFIER_nondet_uchar();
    if (i >= 2)
        return 0;
    return p[i];
}
