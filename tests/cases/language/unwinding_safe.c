// The loop has no bound, but few states.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
    int n = 0;
    while (__VERIFIER_nondet_bool()) {
        n = (n + 1) % 5;
        if (n == 5)
            reach_error();
    }
    return 0;
}
