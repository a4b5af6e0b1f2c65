// Another seed may give other numbers.
#include <stdlib.h>
void reach_error(void);
int main(void)
{
    unsigned a = 5, b = 6;
    int first = rand();
    if (rand_r(&a) != rand_r(&b)) {
        srand(2);
        if (rand() != first)
            reach_error();
    }
    return 0;
}
