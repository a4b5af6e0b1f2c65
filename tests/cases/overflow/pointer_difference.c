int main(void) {
    int a[3] = {0};
    int *p = a + 2;
    p -= 2;
    return (int)(p - (a + 2)) + 2;
}
