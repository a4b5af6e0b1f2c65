// What an atomic block released before it waits is still held: nothing of the block has happened.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void move(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    __VERIFIER_atomic_begin();
    pthread_mutex_unlock(from);
    pthread_mutex_lock(to);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(to);
}

void *forth(void *unused)
{
    move(&a, &b);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, forth, 0);
    move(&b, &a);
    pthread_join(thread, 0);
    return 0;
}
