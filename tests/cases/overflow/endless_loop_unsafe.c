// An endless loop with arithmetic that stays small, but for one shift.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int total = 0;
    for (;;) {
        unsigned char n = (unsigned char)__VERIFIER_nondet_int();
        int square = n * n, bit = 1 << (n & 31), rest = __VERIFIER_nondet_int() % 1000;
        if (total < 100000)
            total += square - rest + bit % 8;
        if (total < 0)
            total = -1 - total;
    }
}
