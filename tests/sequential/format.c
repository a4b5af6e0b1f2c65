/* Where there is no 32-bit library, there is no judge for ILP32. */
typedef __SIZE_TYPE__ size_t;
void out(long long);
#ifdef __LP64__
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
static char buffer[64];
static void show(int n) {
    out(n);
    for (int i = 0; i == 0 || buffer[i - 1]; i++)
        out(buffer[i]);
}
int main(void) {
    show(sprintf(buffer, ""));
    show(sprintf(buffer, "plain %% text"));
    show(sprintf(buffer, "%d %i %d", 0, -1, 2147483647));
    show(sprintf(buffer, "%d|%ld|%lld", -2147483647 - 1, -9L, 1LL << 62));
    show(sprintf(buffer, "%u %x %X %o", 4000000000u, 48879u, 48879u, 511u));
    show(sprintf(buffer, "[%5d][%-5d][%05d][%+d][% d]", 42, 42, -42, 42, 42));
    show(sprintf(buffer, "[%.3d][%6.3d][%-6.3x][%.0d][%*d]", 5, 5, 5, 0, 4, 7));
    show(sprintf(buffer, "[%s][%5s][%-5s][%.2s][%c]", "abc", "de", "fg", "hijk", 'l'));
    show(sprintf(buffer, "%hd %hhd %hu %zu", 70000, 300, 70000, sizeof(int)));
    show(snprintf(buffer, 5, "%s", "truncated"));
    show(snprintf(buffer, 1, "%d", 12345));
    out(snprintf(0, 0, "%d", 12345));
    return 0;
}
#else
int main(void) { return 0; }
#endif
