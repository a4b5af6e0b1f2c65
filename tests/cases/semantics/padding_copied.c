// A word has the padding of the struct that was copied to it.
#include <assert.h>
#include <string.h>

struct bits { unsigned low : 3; };

int main(void) {
    struct bits x;
    unsigned word;
    memset(&x, 0, sizeof x);
    x.low = 5;
    memcpy(&word, &x, sizeof word);
    assert(word == 5);
    return 0;
}
