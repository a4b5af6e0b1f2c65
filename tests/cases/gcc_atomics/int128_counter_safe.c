// 128 bits that count, and carry from one half to the other.
#include <assert.h>
#include <pthread.h>

static unsigned __int128 counter = 0xffffffffffffffffull;

static void *run(void *arg) {
    __sync_fetch_and_add(&counter, 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    unsigned __int128 seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    assert(seen == 0xffffffffffffffffull || seen == (unsigned __int128)1 << 64);
    pthread_join(t, 0);
    assert(counter >> 64 == 1 && (unsigned long long)counter == 0);
    return 0;
}
