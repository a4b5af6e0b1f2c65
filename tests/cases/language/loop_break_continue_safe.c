#include <assert.h>
int main(void) {
    int n = 0;
    for (int i = 0;; i++) {
        if (i == 1)
            continue;
        if (i == 3)
            break;
        n += i;
    }
    assert(n == 2);
    return 0;
}
