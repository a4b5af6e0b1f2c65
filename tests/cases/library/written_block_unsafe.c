// More is written than there is.
#include <unistd.h>

int main(void)
{
    char block[3] = "xy";
    write(1, block, 4);
    return 0;
}
