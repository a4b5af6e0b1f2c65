void out(long long);
static int calls;
static int *where(int *p) { calls++; return p; }
int main(void) {
    int a = 100, b = 7, arr[3] = {1, 2, 3};
    out(a += b); out(a -= 2); out(a *= 3); out(a /= 4); out(a %= 50); out(a <<= 3); out(a >>= 1);
    out(a |= 0x100); out(a &= 0x1f0); out(a ^= 0x55);
    *where(&arr[1]) += 5;
    out(arr[1]); out(calls);
    out((*where(arr))++); out(arr[0]); out(calls);
    unsigned char c = 250;
    out(c += 10); out(c++); out(++c); out(c--); out(--c); out(c -= 100);
    c = 0; out(--c); out(c = 0x1234);
    short s = 32767;
    out(++s);
    s = -32768; out(s--); out(s);
    a = b = c = 300;
    out(a + b);
    int i = 0;
    arr[i++] = 10; arr[i] = arr[i - 1]; out(arr[1]);
    long long x = 1; x <<= 40; x += 0.5; out(x);
    _Bool f = 0; f += 5; out(f); f++; out(f); f--; out(f); f = 0.3; out(f); f = &a; out(f);
    int *p = arr; p += 1; p -= 1; out(p == arr);
    unsigned u = 5; u -= 10; out(u); u /= 3; out(u);
    int neg = -7; neg /= 2u; out(neg); neg = -7; neg %= 4; out(neg); neg >>= 1; out(neg);
    return 0;
}
