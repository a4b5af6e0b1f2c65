int main(void) {
    int x = 70000;
    short s = x;
    signed char c = 127;
    c++;
    c += 200;
    s = s * 2;
    return c + s == 0;
}
