// A shift by all bits but one.
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned __int128 x = 1;
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 128)
        x = x << n;
    return (int)x & 1;
}
