// The index is inside: the violation counts.
#include <assert.h>
int table[1 << 10];
static void put(int *from, long i) { from[i] = 1; }
int main(void) {
    put(table, (1 << 10) - 1);
    assert(table[1023] == 0);
    return 0;
}
