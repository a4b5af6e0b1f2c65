// memcmp compares padding, too, and C leaves open what that holds.
#include <assert.h>
#include <string.h>

struct padded { char c; int i; };

int main(void) {
    struct padded a = {1, 2}, b = {1, 2};
    assert(memcmp(&a, &b, sizeof a) == 0);
    return 0;
}
