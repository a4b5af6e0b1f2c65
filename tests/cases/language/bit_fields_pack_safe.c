#include <assert.h>
#include <stddef.h>

/* gcc's layout: with `#pragma pack`, bit-fields lie across units. */
#pragma pack(push, 4)
struct across {
    int low : 20;
    int high : 20;
    char last;
};
struct __attribute__((packed)) both {
    int a : 3;
    unsigned b : 9;
    char c;
};
struct apart {
    char a : 3;
    long : 0;
    char b;
};
#pragma pack(pop)

/* An aligned bit-field begins there. */
struct aligned {
    char a : 5;
    char b : 5 __attribute__((aligned(4)));
    float c;
};

int main(void)
{
    assert(sizeof(struct across) == 8 && offsetof(struct across, last) == 5);
    assert(sizeof(struct both) == 4 && _Alignof(struct both) == 4);
    assert(offsetof(struct apart, b) == 8 && _Alignof(struct apart) == 1);
    assert(sizeof(struct aligned) == 12 && offsetof(struct aligned, c) == 8);
    return 0;
}
