int main(void) {
    long x = 2147483647;
    x = x + 1;
    return x == 0;
}
