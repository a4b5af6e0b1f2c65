extern void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
int main(void) {
    int x = 2;
    x == 3 ? (void)0 : __assert_fail("x", "file.c", 7, "main");
    return 0;
}
