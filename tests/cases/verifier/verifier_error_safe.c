extern void __VERIFIER_error(void) __attribute__((noreturn));
int main(void) {
    int x = 2;
    if (x * x == 5)
        __VERIFIER_error();
    return 0;
}
