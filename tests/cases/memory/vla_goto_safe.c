// A jump to behind the declaration of an array of variable length keeps it.
int main(void) {
    int n = 3;
    int *p = 0;
    int a[n];
    a[0] = 1;
again:
    if (p)
        return *p;
    p = a;
    goto again;
}
