// Both halves of an atomic struct change together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair { long a, b; };
static _Atomic struct pair shared;

static void *writer(void *arg) {
    struct pair mine = {1, 1};
    shared = mine;
    mine.a = mine.b = 2;
    atomic_store(&shared, mine);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair seen = atomic_load(&shared);
    assert(seen.a == seen.b);
    seen = shared;
    assert(seen.a == seen.b);
    pthread_join(t, 0);
    return 0;
}
