/* Subscripts that are seen to stay inside of their arrays. */
#include <assert.h>

struct ring {
    unsigned next;
    int slots[4];
} ring;
int matrix[2][4];

int main(void)
{
    for (unsigned i = 0; i < 6; i++) {
        ring.slots[ring.next++ & 3] = i;
        matrix[1][i % 4] = i;
    }
    assert(ring.slots[1] == 5 && matrix[1][0] == 4);
    return 0;
}
