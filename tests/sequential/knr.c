void out(long long);
int old(a, b, c)
    char a;
    short b;
    long long c;
{
    return a + b + c;
}
noproto() { return 12; }
static int *deref(p) int **p; { return *p; }
f(x) { return x * 2; }
int main() {
    int v = 5, *p = &v;
    out(old(1, 2, 3ll)); out(noproto()); out(*deref(&p)); out(f(21));
    out(old(300, 70000, 0ll));
    return 0;
}
