static int *leak(void) {
    static int local = 3;
    int *p = &local;
    return p;
}
int main(void) {
    int *p = leak();
    return *p;
}
