// `max_align_t` and alignments that typedefs, members and objects ask for.
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

typedef int wide __attribute__((aligned(32)));
typedef wide wider;
typedef struct { char c; long l; } pair;
typedef short shorts[3];
typedef struct { char c; alignas(64) int i; } line;
typedef struct __attribute__((packed)) { char c; long l; } tight;

struct holds { char c; wide w; };

static alignas(max_align_t) char buffer[64];

int main(void) {
    assert(_Alignof(wide) == 32 && _Alignof(wider) == 32 && alignof(pair) == _Alignof(long));
    assert(_Alignof(shorts) == _Alignof(short) && _Alignof(line) == 64 && sizeof(line) == 128);
    assert(_Alignof(tight) == 1 && sizeof(tight) == 1 + sizeof(long));
    assert(offsetof(struct holds, w) == 32 && sizeof(struct holds) == 64);
    assert(_Alignof(max_align_t) == 16 && sizeof(max_align_t) == 32);
    assert((uintptr_t)buffer % _Alignof(max_align_t) == 0);
    return 0;
}
