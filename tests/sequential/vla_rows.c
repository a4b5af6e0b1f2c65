/* Arrays of variable length with several dimensions, pointers to them, typedefs and parameters. */
void out(long long);
int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j] * (i + 1);
    out(sizeof a[0]);
    return s;
}
void first(int n, int a[static n]) { out(a[n - 1]); out(sizeof a == sizeof(int *)); }
void second(int n, int (*a)[n]) { out(a[1][0]); out(sizeof *a); }
void square(int n, int a[n][*]);
void square(int n, int a[n][n]) { out(a[1][1]); out(sizeof *a); }
int middle(int, int[*]);
int middle(int n, int a[n]) { return a[n / 2]; }
int stepped(int n, int a[n++]) { return n + a[0]; }
void cube(int n, char a[][n][n + 1]) { out(sizeof a[0]); out(a[1][1][2]); out(&a[2] - &a[0]); }
int main(void) {
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
    out(sizeof a); out(sizeof a[0]); out(sizeof a[0][0]); out(sum(n, m, a));
    out(a[2][3]); out((char *)&a[2] - (char *)&a[0]); out(&a[2] - &a[0]);
    int b[n][3]; b[2][2] = 7; out(b[2][2]); out(sizeof b); out(sizeof *b);
    int c[2][m]; c[1][3] = 9; out(c[1][3]); out(sizeof c); out(sizeof *c);
    int (*p)[m] = a; p++; out((*p)[2]); out(p[1][1]); out(sizeof *p);
    int d[2][n][m]; d[1][2][3] = 5; out(d[1][2][3]); out(sizeof d); out(sizeof d[0]); out(sizeof d[0][0]);
    m = 100; out(sizeof a); out(sizeof *p); out((*p)[2]);
    n = 2;
    typedef int row[n];
    n = 5;
    row r; r[0] = 1; out(sizeof r); out(sizeof(row)); r[1] = 4; out(r[1]);
    row rr[3]; out(sizeof rr); rr[1][0] = 6; rr[2][1] = 8; out(rr[2][1]); out(rr[0] + 5 == &rr[2][1]);
    row *pr = rr; pr += 2; out((*pr)[1]); out(pr - rr); out(pr[-1][0]);
    rr[1][1] = 3; first(2, r); second(2, rr); square(2, rr); out(middle(2, r)); out(stepped(2, r));
    char e[4][2][3]; e[1][1][2] = 42; cube(2, e);
    out(sizeof(int[n])); out(sizeof(int[n][3])); out(sizeof(int[3][n])); out(sizeof(char (*)[n]) == sizeof(char *));
    int k = 3; out(sizeof(int[k++])); out(k);
    int z[k]; out(sizeof(z)); out(sizeof z / sizeof *z); out(sizeof *&z);
    for (int i = 1; i < 4; i++) { char v[i][i]; out(sizeof v); v[i - 1][i - 1] = i; out(v[i - 1][i - 1]); }
    __typeof__(z) y; out(sizeof y); y[3] = 1; out(y[3]);
    int (*pz)[k] = &z; out(sizeof *pz); (*pz)[2] = 77; out(z[2]); out(&z[4] == (int *)(&z + 1));
    int q = 0; out(sizeof rr[q++]); out(q);
    out(sizeof *(char (*)[k])y); out(((int (*)[2])a)[1][1]);
    return 0;
}
