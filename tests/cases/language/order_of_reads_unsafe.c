// Each order of a call and a read is one that C allows, and so is each order of three calls.
#include <assert.h>
#include <stdio.h>

int x, i, a[2], n;
int which(void);
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
    int all = 0;
    x = 1;
    x += sets();
    all += x == 2;
    x = 1;
    int sum = x + sets();
    all += sum == 6;
    a[i] = moves();
    all += a[1] == 7;
    printf("%d %d\n", digit(1), digit(2));
    all += n == 21;
    n = 0;
    sum = digit(1) + digit(2) + digit(3);
    all += n == 321;
    assert(all < 5);
    return 0;
}
