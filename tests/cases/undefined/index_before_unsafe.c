// The violation comes before what C does not define, or in another thread: it counts.
#include <assert.h>
#include <pthread.h>
int table[4];
int x;
void *wild(void *arg) {
    int i = 9;
    table[i] = 1;
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wild, 0);
    assert(x != 0);
    return 0;
}
