/* An input that was chosen once decides whether the loop ends. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n == 7)
        ;
    return 0;
}
