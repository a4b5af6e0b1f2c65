#include <assert.h>

/* An attribute of a struct is none of the member that the struct is defined for. */
struct packet {
    char kind;
    struct __attribute__((packed)) {
        struct __attribute__((aligned(8))) {
            long first;
            short second;
        } pair;
        char rest[3];
    } body;
};

struct other {
    char kind;
    struct __attribute__((packed)) {
        char x;
        int y __attribute__((aligned(8)));
    } body;
};

int main(void)
{
    assert(sizeof(struct packet) == 25 && sizeof(struct other) == 24);
    assert(_Alignof(struct packet) == 1 && _Alignof(struct other) == 8);
    return 0;
}
