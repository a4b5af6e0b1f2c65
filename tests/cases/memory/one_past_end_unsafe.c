int main(void) {
    int a[2] = {1, 2};
    int *end = a + 2, s = 0;
    for (int *p = a; p != end; p++)
        s += *p;
    s += *end;
    return s;
}
