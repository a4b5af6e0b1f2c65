#include <assert.h>
#include <stddef.h>
#include <string.h>

#pragma pack(push, 1)
struct header { char kind; int length; short check; };
#pragma pack(pop)
struct plain { char kind; int length; short check; };
enum __attribute__((packed)) small { LOW, HIGH };
typedef int wide __attribute__((mode(DI)));
typedef struct { int value; } line __attribute__((aligned(64)));
struct lines { char c; line l; };

int main(void) {
    char bytes[7] = {1, 2, 0, 0, 0, 3, 0};
    struct header h;
    assert(sizeof h == 7 && sizeof(struct plain) == 12);
    memcpy(&h, bytes, sizeof h);
    assert(h.length == 2 && h.check == 3);
    assert(sizeof(enum small) == 1 && sizeof(wide) == 8);
    assert(offsetof(struct lines, l) == 64);
    return 0;
}
