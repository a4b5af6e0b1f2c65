#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
/* Any number of threads count up to 1000, from above, under a lock: what was compared is what is added to. */
int counter = 0x7ffffffe;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *count(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (counter != 1000)
            counter++;
        pthread_mutex_unlock(&m);
    }
}
int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_bool())
        pthread_create(&t, 0, count, 0);
    return 0;
}
