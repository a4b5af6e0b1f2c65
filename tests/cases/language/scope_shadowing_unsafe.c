#include <assert.h>
int x = 1;
int main(void) {
    int y = x;
    {
        int x = 5;
        y += x;
        {
            extern int x;
            y += x * 10;
        }
    }
    assert(y == 56);
    return 0;
}
