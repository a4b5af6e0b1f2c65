#include <assert.h>
#include <stdatomic.h>
static char a[8];
int main(void)
{
    char *_Atomic p = a;
    atomic_fetch_add(&p, 4);
    assert(p == a + 4);
    return 0;
}
