/* One heap block that all threads count in, under a lock. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void reach_error(void) {}

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *count;

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    int before = *count;
    *count = before + 1;
    if (*count != before + 1)
        reach_error();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    count = calloc(1, sizeof *count);
    if (count == NULL)
        return 0;
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, work, NULL);
    return 0;
}
