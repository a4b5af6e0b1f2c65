// A product that just fits.
int __VERIFIER_nondet_int(void);
int main(void) {
    __int128 large = (__int128)1 << 120;
    int n = __VERIFIER_nondet_int();
    if (n >= -128 && n < 128)
        large = large * n;
    return (int)(large >> 120);
}
