void out(long long);
static int sum(int n, ...) {
    return n;
}
static int first(const char *s, ...) { return s[0]; }
int main(void) {
    out(sum(3, 1, 2, 3));
    out(first("abc", 1.5, (char)2, 3ll, "x"));
    return 0;
}
