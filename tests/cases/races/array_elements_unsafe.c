#include <pthread.h>
static int a[3];
static void *worker(void *arg) {
    int i = (int)(long)arg;
    a[i] = 1;
    a[i + 1] = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, worker, (void *)0L);
    pthread_create(&t, 0, worker, (void *)1L);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
