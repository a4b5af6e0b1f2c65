// Both halves of a struct change one after the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair { long a, b; };
static struct { _Atomic long a, b; } shared;

static void *writer(void *arg) {
    struct pair mine = {1, 1};
    shared.a = mine.a;
    shared.b = mine.b;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair seen = {shared.a, shared.b};
    assert(seen.a == seen.b);
    seen.a = shared.a;
    assert(seen.a == seen.b);
    pthread_join(t, 0);
    return 0;
}
