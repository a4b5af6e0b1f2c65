void out(long long);
#define X 0x7fffffff
int main(void) {
    out(0x7fffffff); out(0x80000000); out(2147483648); out(0xffffffffffffffff); out(4294967295);
    out(-2147483648); out(017); out(0b1101); out('a'); out('\n'); out('\x7f'); out('\377'); out('\0'); out('\\');
    out('ab'); out(L'x'); out(1e2); out(.5 * 4); out(0x10p-1); out(1u - 2); out(1ul - 2 > 0); out(1ll - 2);
    out(X + 1u); out(-X - 1); out(sizeof 0x80000000); out(sizeof 2147483648u); out(sizeof 4294967296);
    out(sizeof 1lu); out(100000 * 100000ll); out(1 << 4 | 1 << 2); out("abc"[2]); out(*"q"); out("\e[0m"[0]); out("a" "b"[1]);
    out(u'x'); out(U'y'); out(sizeof L"ab" / sizeof(L' ')); out(sizeof u8"ab");
    return 0;
}
