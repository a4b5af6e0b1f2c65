// A violation that needs no division by zero is told.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (7 % n == 1)
        reach_error();
    return 0;
}
