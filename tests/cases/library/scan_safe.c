// What a known text gives is known.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a = 0, b = 0, n = 0;
    char word[8] = "", c = 0;
    assert(sscanf("12 -7 abc", "%d %d %7s%n", &a, &b, word, &n) == 3);
    assert(a == 12 && b == -7 && strcmp(word, "abc") == 0 && n == 9);
    assert(sscanf("0x1f,q", "%i,%c", &a, &c) == 2 && a == 31 && c == 'q');
    assert(sscanf("x", "%d", &a) == 0 && a == 31);
    assert(sscanf("", "%d", &a) == EOF);
    assert(sscanf("key=value", "%*[^=]=%7s", word) == 1 && word[0] == 'v');
    return 0;
}
