/* Declared without its length, defined with it. */
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
    if (n > 3 && n < 8)
        table[n] = first();
    return 0;
}
