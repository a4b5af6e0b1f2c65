// One of two threads joins a third, whoever comes first.
#include <pthread.h>
#include <stdatomic.h>
static pthread_t id;
static atomic_int taken;
static void *work(void *unused) {
    return 0;
}
static void *other(void *unused) {
    if (!atomic_exchange(&taken, 1))
        pthread_join(id, 0);
    return 0;
}
int main(void) {
    pthread_t second;
    pthread_create(&id, 0, work, 0);
    pthread_create(&second, 0, other, 0);
    if (!atomic_exchange(&taken, 1))
        pthread_join(id, 0);
    pthread_join(second, 0);
    return 0;
}
