void out(long long);
int main(void) {
    int i, n = 0;
    for (i = 0; i < 10; i++) { if (i % 3 == 0) continue; if (i == 8) break; n += i; }
    out(n); out(i);
    do { n--; if (n == 20) goto done; } while (n > 0);
    out(-1);
done:
    out(n);
    i = 0;
again:
    if (++i < 5) goto again;
    out(i);
    for (int a = 0, b = 10; a < b; a++, b -= 2) out(a * b);
    while (1) { if (i-- == 0) break; else if (i == 2) { out(22); continue; } }
    out(i);
    int x = (out(1), out(2), 3);
    out(x);
    out(i > 0 ? 1 : i < 0 ? 2 : 3);
    out((x == 3 && i++) || ++i);
    out(i);
    out(x ?: 9); out(0 ?: 9);
    if (x) if (i) out(7); else out(8);
    { int x = 100; { int x = 200; out(x); } out(x); }
    out(x);
    goto in;
    for (i = 0; i < 3; i++) { out(i + 1000); in: out(i + 2000); }
    ;
    return x;
}
