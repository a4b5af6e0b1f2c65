// A jump to before the declaration of an array of variable length ends it.
int main(void) {
    int n = 3;
    int *p = 0;
again:
    if (p)
        return *p;
    int a[n];
    a[0] = 1;
    p = a;
    goto again;
}
