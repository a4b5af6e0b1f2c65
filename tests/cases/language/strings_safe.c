#include <assert.h>
#include <string.h>
static char global[] = "hello";
int main(void) {
    char local[8] = "ab" "cd";
    const char *p = "x\ty\0z\x41\101";
    assert(sizeof global == 6 && strlen(global) == 5);
    assert(local[3] == 'd' && local[4] == 0 && local[7] == 0);
    assert(p[1] == '\t' && p[3] == 0 && p[5] == 'A' && p[6] == 'A');
    assert("abc"[1] == 'b');
    assert(sizeof "abc" == 4);
    return 0;
}
