// Half of an update can be seen: by assignment and by memcpy alike, member by member.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int a, b;
};
static struct pair assigned, copied, moved;
static const struct pair ones = {1, 1};

static void *writer(void *unused) {
    assigned = ones;
    memcpy(&copied, &ones, sizeof copied);
    memmove(&moved, &ones, sizeof moved);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct pair x = assigned, y, z;
    memcpy(&y, &copied, sizeof y);
    memmove(&z, &moved, sizeof z);
    int torn = x.a != x.b ? 1 : y.a != y.b ? 2 : z.a != z.b ? 3 : 0;
    pthread_join(thread, 0);
    assert(torn != 2);
    return 0;
}
