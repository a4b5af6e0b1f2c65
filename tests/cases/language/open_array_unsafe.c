/* One element too many of an array that was declared without its length. */
extern int table[];
extern int __VERIFIER_nondet_int(void);

int first(void)
{
    return table[0];
}

int table[8];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 3 && n < 9)
        table[n] = first();
    return 0;
}
