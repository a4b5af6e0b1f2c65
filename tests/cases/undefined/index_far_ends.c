// However far outside of its array: where C does not define how it goes on, executions end.
#include <assert.h>
int table[4];
static void put(int *from, long i) { from[i] = 1; }
int main(void) {
    put(table, 1 << 20);
    assert(0);
    return 0;
}
