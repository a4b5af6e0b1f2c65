void out(long long);
union u {
    unsigned long long ll;
    unsigned i[2];
    unsigned short s[4];
    unsigned char c[8];
    float f;
    double d;
};
int main(void) {
    union u u = {0x0123456789abcdefull};
    for (int i = 0; i < 8; i++) out(u.c[i]);
    for (int i = 0; i < 4; i++) out(u.s[i]);
    out(u.i[0]); out(u.i[1]);
    u.s[2] = 0xbeef;
    out(u.ll);
    u.f = 1.5f;
    out(u.i[0]);
    u.d = -2.0;
    out(u.ll);
    union u v = {.c = {1, 2, 3}};
    out(v.i[0]);
    v = u;
    out(v.i[1]);
    return 0;
}
