int main(void) {
    int x = 0;
    int *p = &x;
    *p = 1;
    return 0;
}
