// Alike, but started in different circumstances: only the first can have seen the flag down.
#include <assert.h>
#include <pthread.h>

static int flag, early, late;

static void *look(void *unused) {
    (void)unused;
    if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST))
        __sync_fetch_and_add(&late, 1);
    else
        __sync_fetch_and_add(&early, 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, look, NULL);
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    pthread_create(&second, NULL, look, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(late == 2);
    return 0;
}
