// What has happened has happened, whatever is assumed afterwards.
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    __VERIFIER_assume(!b);
    if (b)
        reach_error();

    return 0;
}
