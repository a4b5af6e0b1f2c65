// A thread is joined once. What a second join does is undefined.
#include <pthread.h>
static pthread_t id;
static void *work(void *unused) {
    return 0;
}
static void *other(void *unused) {
    pthread_join(id, 0);
    return 0;
}
int main(void) {
    pthread_t second;
    pthread_create(&id, 0, work, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(id, 0);
    pthread_join(second, 0);
    return 0;
}
