// A local semaphore without sem_init.
#include <assert.h>
#include <semaphore.h>
int main(void)
{
    sem_t s;
    sem_post(&s);
    sem_wait(&s);
    assert(0);
    return 0;
}
