// Three calls in one list of arguments: six orders (C11 6.5.2.2 paragraph 10).
#include <assert.h>
static int order;
static int next(int digit) { order = order * 10 + digit; return digit; }
static int sum(int a, int b, int c) { return a + b + c; }
int main(void)
{
    int all = sum(next(1), next(2), next(3));
    assert(all == 6);
    assert(order != 321);
    return 0;
}
