void out(long long);
struct s { int v; };
static int log_[8], n;
static int note(int x) { log_[n++] = x; return x; }
static struct s make(int v) { note(v); return (struct s){v}; }
int main(void) {
    int r = (note(1), note(2)) + 0;
    r += note(3) ? note(4) : note(5);
    out(make(6).v);
    if (note(0) || note(7)) r++;
    for (int i = 0; i < n; i++) out(log_[i]);
    out(r);
    int i = 5, j;
    j = i++ + 1; out(i * 10 + j);
    j = (i = 3, i * 2); out(j);
    int a[3] = {0}, *p = a;
    *p++ = 4; *p++ = 5; *p = 6;
    out(a[0] * 100 + a[1] * 10 + a[2]);
    out(*p-- - *a); out(p - a);
    i = 2; i = i-- > 1 ? i : -1; out(i);
    while (i --> 0) out(i);
    out(sizeof(note(1)) + n);
    return 0;
}
