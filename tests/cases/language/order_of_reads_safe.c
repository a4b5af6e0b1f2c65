// Whether a call or a read comes first, and what is written to, is open: any of the outcomes.
#include <assert.h>
#include <stdio.h>

int x, i, a[2], n;
int sets(void) {
    x = 5;
    return 1;
}
int moves(void) {
    i = 1;
    return 7;
}
int digit(int d) {
    n = n * 10 + d;
    return d;
}

int main(void) {
    x = 1;
    x += sets();
    assert(x == 2 || x == 6);
    x = 1;
    int sum = x + sets();
    assert(sum == 2 || sum == 6);
    a[i] = moves();
    assert(a[0] + a[1] == 7);
    printf("%d %d\n", digit(1), digit(2));
    assert(n == 12 || n == 21);
    n = 0;
    sum = digit(1) + digit(2) + digit(3);
    assert(sum == 6);
    return 0;
}
