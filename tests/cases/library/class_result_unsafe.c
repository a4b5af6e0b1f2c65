// "True" is any number but 0.
#include <assert.h>
#include <ctype.h>

int main(void)
{
    assert(isalpha('a') == 1 || isalpha('a') == 1024);
    return 0;
}
