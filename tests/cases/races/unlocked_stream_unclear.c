// Streams without their lock: two threads must not meet in them, which is not followed.
#include <pthread.h>
#include <stdio.h>
static void *worker(void *arg) { putchar_unlocked('a'); return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    putchar_unlocked('b');
    pthread_join(t, NULL);
    return 0;
}
