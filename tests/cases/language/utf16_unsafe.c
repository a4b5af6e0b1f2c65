// The character behind the pair is the fourth one.
#include <assert.h>
#include <uchar.h>
int main(void)
{
    const char16_t *s = u"a😀b";
    assert(s[2] == 'b');
    return 0;
}
