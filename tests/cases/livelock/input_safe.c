/* An input that is chosen anew in each iteration is not always the wrong one. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    while (__VERIFIER_nondet_int() == 7)
        ;
    return 0;
}
