#include <pthread.h>
static void count(void) {
    static _Thread_local int n;
    n++;
}
static void *one(void *arg) { count(); return 0; }
static void *two(void *arg) { count(); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
