/* strsep, strcasestr, memccpy and memmem. */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[] = "a,,b", *rest = text, copy[4];
    assert(strcmp(strsep(&rest, ","), "a") == 0);
    assert(strcmp(strsep(&rest, ","), "") == 0);
    assert(strcmp(strsep(&rest, ","), "b") == 0 && rest == 0 && strsep(&rest, ",") == 0);
    const char *line = "Content-Length: 5";
    assert(strcasestr(line, "LENGTH") == line + 8 && strcasestr(line, "x") == 0 && strcasestr(line, "") == line);
    assert(memccpy(copy, line, 'n', 4) == copy + 3 && copy[2] == 'n' && memccpy(copy, line, 'z', 4) == 0);
    assert(memmem(line, 17, "ten", 3) == line + 3 && memmem(line, 5, "ten", 3) == 0 && memmem(line, 2, "", 0) == line);
    return 0;
}
