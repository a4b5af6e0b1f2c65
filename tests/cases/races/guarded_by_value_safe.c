// The branch that would race is never taken together with the write.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int owner;
static int x;
static void *one(void *arg) {
    int zero = 0;
    if (atomic_compare_exchange_strong(&owner, &zero, 1))
        x = 1;
    return 0;
}
static void *two(void *arg) {
    int zero = 0;
    if (atomic_compare_exchange_strong(&owner, &zero, 2) )
        x = 2;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
