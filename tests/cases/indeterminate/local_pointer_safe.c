// Both branches give it a value.
int x, y;

int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p;
    if (__VERIFIER_nondet_int())
        p = &x;
    else
        p = &y;
    *p = 1;
    return 0;
}
