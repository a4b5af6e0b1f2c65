// A second join of a thread is not defined: what follows is not looked at.
#include <assert.h>
#include <pthread.h>
void *thread(void *arg) { return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
