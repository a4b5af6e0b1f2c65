// A function without a body returns any value and touches nothing.
extern void reach_error(void);
extern _Bool oracle(int *p);
int main(void) {
    int x = 1;
    _Bool r = oracle(&x);
    if (x != 1)
        reach_error();
    return 0;
}
