#include <assert.h>
static int sum(int n) {
    int a[n];
    int s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s + (int)(sizeof a / sizeof a[0]);
}
int main(void) {
    assert(sum(3) == 3);
    return 0;
}
