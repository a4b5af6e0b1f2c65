// Empty asm and fences change nothing that a sequentially consistent program can see.
#include <assert.h>
int x;
int main(void) {
    x = 1;
    __asm__ __volatile__("" ::: "memory");
    x++;
    asm volatile("mfence" ::: "memory");
    __sync_synchronize();
    assert(x == 2);
    return 0;
}
