#include <assert.h>
int main(void) {
    int i = 0, seen = 0;
    goto inside;
    while (i < 3) {
        seen += 10;
    inside:
        seen++;
        i++;
        if (seen > 20)
            goto out;
    }
    seen = -1;
out:
    assert(seen == -1);
    return 0;
}
