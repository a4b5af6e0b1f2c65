// What a sequential test program needs on a machine with a C library.
int printf(const char *, ...);
void out(long long value) { printf("%lld\n", value); }
