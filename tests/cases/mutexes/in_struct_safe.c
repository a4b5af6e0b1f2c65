#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; int money; };
static void *pay(void *arg) {
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    int m = a->money;

    a->money = m + 5;
    pthread_mutex_unlock(&a->lock);
    return 0;
}
int main(void) {
    struct account *a = malloc(sizeof *a);
    pthread_t s, t;
    a->money = 0;
    pthread_mutex_init(&a->lock, 0);
    pthread_create(&s, 0, pay, a);
    pthread_create(&t, 0, pay, a);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a->money == 10);
    free(a);
    return 0;
}
