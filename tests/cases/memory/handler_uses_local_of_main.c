/* Where main returns its locals end, and then the handlers run (C17, 5.1.2.2.3). */
#include <stdlib.h>

int *place;

void handler(void)
{
    *place = 1;
}

int main(void)
{
    int local;
    place = &local;
    atexit(handler);
    return 0;
}
