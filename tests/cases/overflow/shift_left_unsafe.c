int main(void) {
    int x = 4;
    return (x << 30) == 5;
}
