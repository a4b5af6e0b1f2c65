#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *end;
    const char *text = " -1.25e1x";
    assert(strtod(text, &end) == -12.5 && end == text + 8);
    assert(strtof("0.1", 0) == 0.1f && strtof("0.1", 0) != 0.1);
    assert(strtod("0.1", 0) == 0.1 && atof("3e+") == 3);
    assert(strtod("pi", &end) == 0 && *end == 'p');
    return 0;
}
