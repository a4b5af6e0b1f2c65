#include <assert.h>
#include <string.h>
int main(void) {
    char buf[12] = "ab";
    assert(strlen(buf) == 2);
    strcat(buf, "cd");
    assert(strcmp(buf, "abcd") == 0);
    assert(strcmp(buf, "abce") > 0);
    assert(strncmp(buf, "abxx", 2) == 0);
    assert(strchr(buf, 'c') == buf + 2 && strchr(buf, 'q') == 0);
    assert(strrchr("aba", 'a')[1] == 0);
    strncpy(buf, "xyz", 5);
    assert(buf[2] == 'z' && buf[3] == 0 && buf[4] == 0);
    assert(strstr("hello", "ll") != 0);
    return 0;
}
