// As lock_order_safe, but one kind of threads waits for the first lock while it has the second.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t third;
int done, counted;

static void count(void)
{
    if (pthread_spin_trylock(&third) == 0) {
        counted++;
        pthread_spin_unlock(&third);
    }
}

void *both(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&first);
        pthread_mutex_lock(&second);
        done++;
        count();
        pthread_mutex_unlock(&second);
        pthread_mutex_unlock(&first);
        if (__VERIFIER_nondet_int())
            break;
    }
    return 0;
}

void *back(void *unused)
{
    pthread_mutex_lock(&second);
    int held = 1;
    pthread_mutex_lock(&first);
    if (held) {
        done--;
        pthread_mutex_unlock(&first);
    }
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&third, PTHREAD_PROCESS_PRIVATE);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_create(&thread, 0, both, 0);
        pthread_create(&thread, 0, back, 0);
    }
    pthread_exit(0);
}
