#include <assert.h>

#pragma pack(1)
struct header { char kind; int length; };
#pragma pack()

int main(void) {
    assert(sizeof(struct header) == 8);
    return 0;
}
