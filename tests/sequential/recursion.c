void out(long long);
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) {
    return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
static int odd(unsigned);
static int even(unsigned n) { return !n || odd(n - 1); }
static int odd(unsigned n) { return n && even(n - 1); }
static void hanoi(int n, int a, int b, int c, int *moves) {
    if (!n) return;
    hanoi(n - 1, a, c, b, moves);
    *moves = (*moves * 7 + a * 3 + b) % 1000003;
    hanoi(n - 1, c, b, a, moves);
}
static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
static int depth(int n) { int local[2] = {n, n * 2}; return n ? depth(n - 1) + local[1] : local[0]; }
int main(void) {
    int moves = 0;
    out(fib(10)); out(ack(2, 3)); out(even(7)); out(odd(7)); out(gcd(1071, 462)); out(depth(5));
    hanoi(4, 1, 2, 3, &moves);
    out(moves);
    return 0;
}
