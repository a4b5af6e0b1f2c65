void out(long long);
static int m[3][4];
static int cube[2][2][3] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8}, {9}}};
static int trace(int (*x)[4]) { return x[0][0] + x[1][1] + x[2][2]; }
static int total(int n, const int *p) { int s = 0; while (n--) s = s * 3 + *p++; return s; }
int main(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = i * 10 + j;
    out(trace(m));
    out(total(12, &m[0][0]));
    out(total(12, &cube[0][0][0]));
    out(*(*(m + 2) + 3));
    out(&m[2][1] - &m[0][2]);
    out(sizeof cube / sizeof cube[0][0]);
    int copy[4];
    for (int i = 0; i < 4; i++) copy[3 - i] = m[1][i];
    out(total(4, copy));
    int (*p)[4] = m + 1;
    out((*p)[3]);
    out((char *)(p + 1) - (char *)p);
    return 0;
}
