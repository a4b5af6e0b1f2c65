// A `char16_t` is no int.
#include <assert.h>
#include <stddef.h>

int main(void) {
    assert(sizeof('a') == sizeof(int) && sizeof(L'a') == sizeof(wchar_t));
    assert(sizeof(u'a') == sizeof(int) && sizeof(U'a') == 4);
    assert(sizeof(u"ab") == 6 && sizeof(U"ab") == 12 && sizeof(u8"ab") == 3);
    assert((u'\uffff' + 1) == 65536);
    return 0;
}
