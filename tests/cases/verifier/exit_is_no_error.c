#include <stdlib.h>
extern void reach_error(void);
static int choose(int x) {
    if (x)
        exit(1);
    _Exit(2);
}
int main(void) {
    choose(1);
    reach_error();
}
