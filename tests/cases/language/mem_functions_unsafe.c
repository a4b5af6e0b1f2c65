#include <assert.h>
#include <string.h>
int main(void) {
    char a[6], b[6];
    memset(a, 'x', sizeof a);
    memcpy(b, a, 3);
    memset(b + 3, 0, 3);
    assert(memcmp(a, b, 3) == 0);
    assert(memcmp(a, b, 4) < 0);
    strcpy(a, "abcd");
    memmove(a + 1, a, 4);
    assert(a[1] == 'a' && a[4] == 'd' && a[0] == 'a');
    return 0;
}
