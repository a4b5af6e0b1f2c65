void out(long long);
static int a[] = {7, -7, 2, -2, 1, -1, 0, 100, -2147483647, 2147483647};
int main(void) {
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (a[j]) {
                out(a[i] / a[j]);
                out(a[i] % a[j]);
                out((unsigned)a[i] / (unsigned)a[j]);
                out((unsigned)a[i] % (unsigned)a[j]);
                out((long long)a[i] * 1000003 / a[j]);
                out((unsigned long long)(long long)a[i] / a[j]);
            }
    return 0;
}
