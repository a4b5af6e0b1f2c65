static int before, a[2], after;
int main(void) {
    int *p = &a[0];
    p[ 1 ] = 5;
    return before + after;
}
