void out(long long);
static long long v[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647,
                        2147483648ll, 4294967295ll, 4294967296ll, -2147483648ll, -2147483649ll,
                        0x123456789abcdefll};
int main(void) {
    for (unsigned i = 0; i < sizeof v / sizeof v[0]; i++) {
        long long x = v[i];
        out((char)x);
        out((signed char)x);
        out((unsigned char)x);
        out((short)x);
        out((unsigned short)x);
        out((int)x);
        out((unsigned)x);
        out((long)x);
        out((unsigned long)x);
        out((_Bool)x);
        out((unsigned long long)x);
        out((short)(unsigned char)x);
        out((int)(unsigned short)(signed char)x);
        out((unsigned)(short)x);
    }
    return 0;
}
