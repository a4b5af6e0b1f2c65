int main(void) {
    int x = 65536;
    int y = x * 32767;
    return y == 0;
}
