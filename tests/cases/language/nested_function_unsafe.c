// Functions inside of a function, as GNU C has them; one starts a thread.
#include <assert.h>
#include <pthread.h>

static int shared;

int main(void) {
    auto int twice(int);
    void *body(void *arg) {
        shared = twice(*(int *)arg);
        return 0;
    }
    int square(int x) { return x * x; }
    int number = 21;
    pthread_t t;
    pthread_create(&t, 0, body, &number);
    pthread_join(t, 0);
    assert(shared == 42 && square(3) == 9);
    int twice(int x) { return 3 * x; }
    return 0;
}
