int main(void) {
    long x = 2147483647;
    x = x + 0;
    return x == 0;
}
