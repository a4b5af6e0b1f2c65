void out(long long);
int main(void) {
    int r;
    unsigned u;
    long long l;
    signed char c;
    out(__builtin_add_overflow(2147483647, 1, &r)); out(r);
    out(__builtin_add_overflow(5, 1, &r)); out(r);
    out(__builtin_sub_overflow(3u, 5u, &u)); out(u);
    out(__builtin_mul_overflow(65536, 65536, &r)); out(r);
    out(__builtin_mul_overflow(65536, 65536, &l)); out(l);
    out(__builtin_add_overflow(100, 100, &c)); out(c);
    out(__builtin_sadd_overflow(-2147483647, -2, &r)); out(r);
    out(__builtin_umul_overflow(3u, 5u, &u)); out(u);
    return 0;
}
