extern void reach_error(void);
extern void __VERIFIER_loop_bound(int);
int main(void) {
    int i;
    __VERIFIER_loop_bound(4);
    for (i = 0; i < 3; i++)
        ;
    if (i == 4)
        reach_error();
    return 0;
}
