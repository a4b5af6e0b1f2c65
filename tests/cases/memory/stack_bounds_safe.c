extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int a[2] = {0, 0};
    int i = __VERIFIER_nondet_bool() ;
    a[i] = 1;
    return 0;
}
