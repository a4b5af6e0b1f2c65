#include <pthread.h>
#define N 3
static pthread_mutex_t fork_[N];
static void *dine(void *arg) {
    int i = (int)(long)arg, left = i, right = (i + 1) % N;

    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]);
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
    return 0;
}
int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], 0);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, dine, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
