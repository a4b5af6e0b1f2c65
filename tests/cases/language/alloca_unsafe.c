#include <alloca.h>
#include <assert.h>
static int sum(int n) {
    int *a = alloca(n * sizeof(int));
    int s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i + 1;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
int main(void) {
    assert(sum(3) == 3);
    return 0;
}
