#include <assert.h>
static int m[2][3] = {{1, 2, 3}, {4}};
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            sum += m[i][j] * (i + 1);
    assert(sum == 22);
    assert(sizeof m[0] == 3 * sizeof(int));
    assert(&m[1][0] - &m[0][0] == 3);
    return 0;
}
