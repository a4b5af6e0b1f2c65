int main(void) {
    int *p, x = 0;
    {
        int y = 1;
        p = &x;
    }
    *p = 2;
    return 0;
}
