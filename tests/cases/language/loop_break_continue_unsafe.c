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
    assert(n == 3);
    return 0;
}
