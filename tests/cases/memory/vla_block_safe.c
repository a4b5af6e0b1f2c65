// An array of variable length lives until its block is left.
int main(void) {
    int n = 3;
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int a[n];
        int *p = a;
        a[0] = i;
        {
            int b[n];
            b[1] = *p;
            p = b + 1;
            sum += *p;
        }
        sum += a[0];
    }
    return sum;
}
