void out(long long);
int main(void) {
    int i = -5;
    unsigned u = 3;
    long l = -7;
    unsigned long ul = 9;
    long long ll = -11;
    unsigned long long ull = 13;
    out(i + u);
    out(i < u);
    out(l < u);
    out(l + u);
    out(l / (long)u);
    out(i + ul);
    out(ul > l);
    out(ll + ul);
    out(ll < ull);
    out(i * ull);
    out(1 ? i : u);
    out((1 ? i : u) > 0);
    out((0 ? ll : u) + i);
    out(-1 == 4294967295u);
    out(-1l == 4294967295u);
    out(sizeof(i + u) + sizeof(l + u) * 10 + sizeof(l + ull) * 100);
    return 0;
}
