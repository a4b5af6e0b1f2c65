// The lifetime of an array of variable length ends with its block.
int main(void) {
    int n = 3;
    int *p;
    {
        int a[n];
        a[0] = 1;
        p = a;
    }
    return *p;
}
