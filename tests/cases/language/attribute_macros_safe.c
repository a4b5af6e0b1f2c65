// Attributes come from macros, as nearly everywhere.
#include <assert.h>
#include <pthread.h>
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNUSED __attribute__((unused))
#define PACKED __attribute__((packed))
#define ALIGNED(n) __attribute__((aligned(n)))
struct PACKED pair {
    char a;
    int b;
};
static int shared ALIGNED(64);
ALWAYS_INLINE void add(int n) {
    __atomic_fetch_add(&shared, n, __ATOMIC_SEQ_CST);
}
static UNUSED void *f(void *arg) {
    add(1);
    return arg;
}
int main(void) {
    pthread_t t;
    assert(sizeof(struct pair) == 5);
    pthread_create(&t, 0, f, 0);
    add(1);
    pthread_join(t, 0);
    assert(shared == 2);
    return 0;
}
