#include <assert.h>
#include <pthread.h>
static void finish(long code) { pthread_exit((void *)code); }
static void *worker(void *arg) {
    finish((long)arg * 2);
    return (void *)1;
}
int main(void) {
    pthread_t t;
    void *out;
    pthread_create(&t, 0, worker, (void *)3L);
    pthread_join(t, &out);
    assert((long)out == 1);
    return 0;
}
