// The second array is never sorted to the end.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf context;
static int compare(const void *a, const void *b)
{
    if (*(const int *)a < 0 || *(const int *)b < 0)
        longjmp(context, 2);
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
int main(void)
{
    static int good[] = { 2, 1 }, bad[] = { 1, -1 };
    static int *all[] = { good, bad };
    for (volatile int i = 0; i < 2; i++) {
        if (setjmp(context) != 0) {
            assert(i == 0);
            continue;
        }
        qsort(all[i], 2, sizeof(int), compare);
        assert(i == 0 && good[0] == 1);
    }
    return 0;
}
