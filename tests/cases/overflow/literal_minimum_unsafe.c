int main(void) {
    int x = -2147483647 - 2;
    return x == 5;
}
