// Division by zero is undefined: an assumption of the answer, and with --strict none is given.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 7 / n;
    if (n == 0)
        reach_error();
    return x;
}
