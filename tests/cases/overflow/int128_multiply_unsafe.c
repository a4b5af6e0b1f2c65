// A product that needs a bit too many.
int __VERIFIER_nondet_int(void);
int main(void) {
    __int128 large = (__int128)1 << 120;
    int n = __VERIFIER_nondet_int();
    if (n > 100 && n < 200)
        large = large * n;
    return (int)(large >> 120);
}
