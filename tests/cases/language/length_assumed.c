// The length may be negative, which is undefined.
int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int a[n];
    return n > 0 ? sizeof a : 0;
}
