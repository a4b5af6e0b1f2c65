// No divisor is zero here, so nothing is assumed.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0)
        return 0;
    if (7 / n > 7)
        reach_error();
    return 0;
}
