// No byte is padding.
#include <assert.h>
#include <string.h>

struct padded { int c; int i; };

int main(void) {
    struct padded a = {1, 2}, b = {1, 2};
    assert(memcmp(&a, &b, sizeof a) == 0);
    return 0;
}
