typedef __SIZE_TYPE__ size_t;
void out(long long);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    unsigned char a[8], b[8];
    int n = 0x01020304;
    memset(a, 0x1ff, sizeof a);
    out(a[0]); out(a[7]);
    memcpy(a + 2, &n, sizeof n);
    for (int i = 0; i < 8; i++) out(a[i]);
    memmove(a + 1, a, 6);
    for (int i = 0; i < 8; i++) out(a[i]);
    memmove(a, a + 2, 6);
    for (int i = 0; i < 8; i++) out(a[i]);
    memcpy(b, a, 8);
    out(sign(memcmp(a, b, 8)));
    b[7]--;
    out(sign(memcmp(a, b, 8)));
    out(sign(memcmp(a, b, 7)));
    b[0] = 255;
    a[0] = 1;
    out(sign(memcmp(a, b, 8)));
    out((unsigned char *)memchr(a, a[3], 8) - a <= 3);
    out(memchr(a, 77, 8) == 0);
    struct { int x; short y; } s, t;
    memset(&s, 0, sizeof s);
    s.x = 5;
    s.y = -2;
    memcpy(&t, &s, sizeof t);
    out(t.x); out(t.y);
    return 0;
}
