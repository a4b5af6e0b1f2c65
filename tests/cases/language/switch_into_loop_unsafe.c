// A case label may stand inside a loop that the switch jumps into.
#include <assert.h>
int main(void) {
    int count = 0, n = 2;
    switch (n) {
        do {
            count += 10;
    case 2:
            count++;
        } while (--n > 0);
    }
    assert(count == 22);
    return 0;
}
