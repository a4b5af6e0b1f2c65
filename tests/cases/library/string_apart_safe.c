// Parts of one array that do not overlap: next to each other, onto itself, and with memmove any.
#include <assert.h>
#include <string.h>
int main(void)
{
    char text[16] = "ab";
    strcpy(text + 3, text);
    assert(strcmp(text + 3, "ab") == 0);
    strcpy(text, text);
    strncat(text, text + 4, 1);
    assert(strcmp(text, "abb") == 0);
    strncpy(text + 4, text, 4);
    assert(strcmp(text + 4, "abb") == 0);
    memmove(text, text + 1, strlen(text));
    assert(strcmp(text, "bb") == 0);
    return 0;
}
