// Under a lock nobody sees half of a copy, and a copy is the same bytes however it is made.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct mixed {
    char c;
    int i;
    unsigned bits : 3;
    short h;
};
static struct mixed shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    struct mixed ones;
    memset(&ones, 1, sizeof ones);
    pthread_mutex_lock(&lock);
    memcpy(&shared, &ones, sizeof shared);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    struct mixed seen = shared;
    pthread_mutex_unlock(&lock);
    assert(seen.c ? seen.i == 0x01010101 && seen.bits == 1 && seen.h == 0x0101 : seen.i == 0);
    int row[4] = {1, 2, 3, 4};
    assert(memmove(row + 1, row, 3 * sizeof *row) == row + 1);
    assert(row[1] == 1 && row[2] == 2 && row[3] == 3);
    pthread_join(thread, 0);
    return 0;
}
