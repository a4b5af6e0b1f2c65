// Bound N cuts off the N-th jump back to the head: three rounds need N = 4.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
    int rounds = __VERIFIER_nondet_bool() ? 2 : 3;
    int i = 0;
    while (i < rounds)
        i++;
    if (i == 3)
        reach_error();
    return 0;
}
