// Of a comparison only the sign is defined, of a class test only whether it is 0.
#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char a[] = "abc", b[] = "abd";
    int r = strcmp(a, b);
    int (*compare)(const char *, const char *) = strcmp;
    assert(r < 0 && !(r >= 0));
    assert(compare(b, a) > 0 && compare(a, a) == 0);
    assert(strcasecmp(a, "ABC") == 0 && strncmp(a, b, 2) == 0);
    assert(memcmp(b, a, 3) > 0);
    r = isalpha(a[0]);
    assert(r != 0 && isalpha('1') == 0 && !isdigit('x') && isdigit('7'));
    assert(toupper('q') == 'Q' && tolower('Q') == 'q' && tolower('1') == '1');
    return 0;
}
