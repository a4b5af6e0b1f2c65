// A local that only one branch gives a value.
int x;

int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p;
    if (__VERIFIER_nondet_int())
        p = &x;
    *p = 1;
    return 0;
}
