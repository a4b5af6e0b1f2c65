void out(long long);
static unsigned crc(const unsigned char *p, int n) {
    unsigned c = ~0u;
    while (n--) { c ^= *p++; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; }
    return ~c;
}
static unsigned long long fnv(const char *s) { unsigned long long h = 14695981039346656037ull; while (*s) h = (h ^ (unsigned char)*s++) * 1099511628211ull; return h; }
static void sort(int *a, int n) { for (int i = 1; i < n; i++) for (int j = i; j && a[j - 1] > a[j]; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; } }
static int bits(unsigned x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
static unsigned root(unsigned n) { unsigned r = 0; for (unsigned b = 1u << 15; b; b >>= 1) if ((r | b) * (r | b) <= n) r |= b; return r; }
static int rev(int x) { int r = 0; while (x) { r = r * 10 + x % 10; x /= 10; } return r; }
int main(void) {
    out(crc((const unsigned char *)"123456789", 9));
    out(fnv("hash")); out(bits(0xdeadbeef)); out(root(1000000)); out(root(4294836225u)); out(rev(-1234));
    int a[] = {5, -3, 9, 0, -3, 12, 7};
    sort(a, 7);
    for (int i = 0; i < 7; i++) out(a[i]);
    char sieve[50] = {0};
    for (int i = 2; i < 50; i++) if (!sieve[i]) { out(i); for (int j = 2 * i; j < 50; j += i) sieve[j] = 1; }
    unsigned s = 12345;
    for (int i = 0; i < 10; i++) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; out(s); }
    return 0;
}
