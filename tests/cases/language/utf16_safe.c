// Characters above 0xffff are two elements of a string with the prefix u.
#include <assert.h>
#include <uchar.h>
static char16_t s[] = u"a\U0001F600b";
int main(void)
{
    assert(sizeof s / sizeof *s == 5);
    assert(s[1] == 0xd83d && s[2] == 0xde00 && s[3] == 'b');
    assert(U"\U0001F600"[0] == 0x1f600);
    return 0;
}
