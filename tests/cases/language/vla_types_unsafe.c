// The length is that at the typedef.
#include <assert.h>

static int last(int n, int m, int a[n][m + 1]) { return a[n - 1][m] + (int)(sizeof a[0] / sizeof(int)); }

int main(void) {
    int n = 2;
    typedef int row[n + 1];
    n = 9;
    row rows[2];
    assert(sizeof(row) == 10 * sizeof(int) && sizeof rows == 6 * sizeof(int));
    rows[1][2] = 7;
    assert(last(2, 2, rows) == 10);
    row *at = rows;
    at++;
    assert((*at)[2] == 7);
    return 0;
}
