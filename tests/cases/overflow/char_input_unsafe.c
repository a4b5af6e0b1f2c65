extern signed char __VERIFIER_nondet_char(void);
int main(void) {
    int x = __VERIFIER_nondet_char();
    return x * 16777217 == 5;
}
