/* One after the other, the second first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *writes(void *arg) { x = 1; y = 1; return 0; }
static int get(atomic_int *p) { return atomic_load(p); }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writes, 0);
    int second = get(&y), first = get(&x), seen = 2 * second + first;
    assert(seen != 2);
    pthread_join(t, 0);
    return 0;
}
