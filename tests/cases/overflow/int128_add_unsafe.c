// The sum of two numbers of 127 bits.
int __VERIFIER_nondet_int(void);
int main(void) {
    __int128 large = (__int128)1 << 126;
    if (__VERIFIER_nondet_int() == 77)
        large = large + large;
    return (int)(large >> 120);
}
