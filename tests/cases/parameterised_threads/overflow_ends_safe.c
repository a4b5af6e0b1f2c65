/* Only a signed overflow makes the counter negative. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void reach_error(void) {}

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    count = count + 1;
    if (count < 0)
        reach_error();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, work, NULL);
    return 0;
}
