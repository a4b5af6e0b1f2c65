// A semaphore that was destroyed.
#include <assert.h>
#include <semaphore.h>
int main(void)
{
    sem_t s;
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    assert(sem_wait(&s) == 0);
    return 0;
}
