// Alignment of members, variables and types.
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct line { alignas(64) int value; char rest; };
typedef int wide __attribute__((aligned(32)));
struct mixed { char a; wide b; alignas(0) char c; alignas(double) char d; };
static struct line lines[2];
static alignas(128) char buffer[3];

int main(void) {
    assert(sizeof(struct line) == 64 && alignof(struct line) == 64);
    assert(offsetof(struct mixed, b) == 4 && offsetof(struct mixed, d) == 40);
    assert(alignof(wide) == 32 && __alignof__(buffer) == 128 && __alignof__ buffer == 128);
    assert((uintptr_t)&lines[1] % 64 == 0 && (uintptr_t)buffer % 128 == 0);
    assert((char *)&lines[1] - (char *)&lines[0] == 64);
    alignas(struct line) char local = 1;
    assert((uintptr_t)&local % 64 == 0);
    struct line *heap = aligned_alloc(64, 2 * sizeof *heap);
    if (heap) {
        heap[1].value = 3;
        assert(*(int *)((char *)heap + 64) == 3);
    }
    free(heap);
    return 0;
}
