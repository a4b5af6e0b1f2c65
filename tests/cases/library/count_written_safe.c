// %n stores how much was written so far, and nothing else.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int counts[3] = {7, 7, 7};
    char text[8];
    int all = sprintf(text, "ab%ncd", &counts[1]);
    assert(all == 4 && counts[0] == 7 && counts[1] == 2 && counts[2] == 7);
    return 0;
}
