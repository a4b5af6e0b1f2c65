/* Text into memory, as long as it fits. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    char name[8], number[4], cut[4];
    assert(sprintf(name, "node-%d", 17) == 7);
    assert(strcmp(name, "node-17") == 0);
    unsigned char any = __VERIFIER_nondet_uchar();
    int n = sprintf(number, "%u", (unsigned)any);
    assert(n >= 1 && n <= 3 && number[n] == 0);
    assert(snprintf(cut, sizeof cut, "%s", "long text") == 9);
    assert(strcmp(cut, "lon") == 0);
    return 0;
}
