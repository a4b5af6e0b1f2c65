int main(void) {
    int x = 65536;
    int y = x * 32768;
    return y == 0;
}
