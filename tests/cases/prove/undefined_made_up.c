/* An address from a number may be anything that the program does not have: nothing ends there. */
void reach_error(void) {}
int __VERIFIER_nondet_int(void);

int a[4];

int main(void)
{
    int *p;
    long n = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int())
        p = a;
    else
        p = (int *)(0x200000L + n * 4096);
    if (p != a) {
        *p = 1;
        reach_error();
    }
    return 0;
}
