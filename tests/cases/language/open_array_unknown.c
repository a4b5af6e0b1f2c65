/* How long the array is, another unit knows. */
extern int table[];
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 3)
        table[n] = 1;
    if (n == 7)
        reach_error();
    return 0;
}
