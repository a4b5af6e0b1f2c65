int main(void) {
    int *p, x = 0;
    {
        int y = 1;
        p = &y;
    }
    *p = 2;
    return 0;
}
