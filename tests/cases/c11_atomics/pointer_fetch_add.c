// C17 7.17.7.5 counts elements, gcc's header bytes: no answer.
#include <assert.h>
#include <stdatomic.h>
static int a[8];
int main(void)
{
    int *_Atomic p = a;
    atomic_fetch_add(&p, 4);
    assert(p == a + 4);
    return 0;
}
